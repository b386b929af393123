package confine

import (
	"testing"

	"github.com/unpark-go/unpark"
)

func TestBoundsTogether(t *testing.T) {
	n := unpark.Num
	root := tree(t, map[string]string{
		"a/cpu.stat": "throttled_usec 2000000\n", "b/cpu.stat": "throttled_usec 500000\n", "none/cpu.stat": "usage_usec 5\n",
	})
	a, b, free := Cgroup{Quota: n(0.5), QuotaDir: root + "/a"}, Cgroup{Quota: n(2), QuotaDir: root + "/b"}, Cgroup{QuotaDir: root + "/none"}
	tests := []struct {
		name             string
		groups           []Cgroup
		quota, throttled unpark.Number
	}{
		{"nothing is seen", nil, unpark.Number{}, unpark.Number{}},
		{"one", []Cgroup{a}, n(0.5), n(2)},
		{"workers of one cgroup", []Cgroup{a, a, a}, n(0.5), n(2)},
		{"two containers", []Cgroup{b, a, b}, n(2.5), n(2.5)},
		{"one has no limit", []Cgroup{a, free}, unpark.Number{}, unpark.Number{}},
		{"no limit", []Cgroup{free}, unpark.Number{}, unpark.Number{}},
	}
	for _, tt := range tests {
		got := together(tt.groups)
		if throttled := got.Throttled().Seconds; got.Quota != tt.quota || throttled != tt.throttled {
			t.Errorf("%s: %v cores, throttled %v; want %v, %v", tt.name, got.Quota, throttled, tt.quota, tt.throttled)
		}
	}
}
