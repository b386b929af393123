package confine

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

const (
	hybridMounts = `23 1 254:0 / / rw,relatime - ext4 /dev/root rw
31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
33 31 0:30 / /sys/fs/cgroup/cpuacct rw,relatime - cgroup cgroup rw,cpuacct
34 31 0:31 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
`
	hybridCgroups = "9:name=systemd:/\n3:cpuset:/\n2:cpuacct:/\n1:cpu:/svc/a:b\n0::/u\n"

	// A container without a cgroup namespace: the host's paths, one of them mounted.
	dockerMounts = `1 0 0:1 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro,nosuid shared:9 master:2 - cgroup cgroup rw,cpu,cpuacct
`
	unifiedMounts  = "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
	unifiedCgroups = "0::/user.slice/user-1000.slice/session-2.scope\n"
)

func TestLocate(t *testing.T) {
	for name, c := range map[string]struct {
		mounts, cgroups, controller string
		want                        place
		ok                          bool
	}{
		"v1":                {hybridMounts, hybridCgroups, "cpu", place{1, "cpu", "/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu/svc/a:b"}, true},
		"v2 beside it":      {hybridMounts, hybridCgroups, "", place{2, "", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/unified/u"}, true},
		"not cpuset":        {hybridMounts, "3:cpuset:/\n", "cpu", place{}, false},
		"one is missing":    {hybridMounts, hybridCgroups, "pids", place{}, false},
		"with cpuacct":      {dockerMounts, "4:cpu,cpuacct:/docker/abc\n", "cpu", place{1, "cpu", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/cpu,cpuacct"}, true},
		"below the mount":   {dockerMounts, "4:cpu,cpuacct:/docker/abc/x\n", "cpu", place{1, "cpu", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/cpu,cpuacct/x"}, true},
		"beside the mount":  {dockerMounts, "4:cpu,cpuacct:/docker/abcdef\n", "cpu", place{}, false},
		"v2":                {unifiedMounts, unifiedCgroups, "", place{2, "", "/sys/fs/cgroup", "/sys/fs/cgroup/user.slice/user-1000.slice/session-2.scope"}, true},
		"other namespace":   {unifiedMounts, "0::/../../system.slice\n", "", place{}, false},
		"dots in a name":    {unifiedMounts, "0::/..a\n", "", place{2, "", "/sys/fs/cgroup", "/sys/fs/cgroup/..a"}, true},
		"space in a path":   {`30 24 0:26 / /sys/fs/my\040cgroup rw - cgroup2 cgroup2 rw`, "0::/\n", "", place{2, "", "/sys/fs/my cgroup", "/sys/fs/my cgroup"}, true},
		"named, not v2":     {unifiedMounts, "0:name=x:/\n", "", place{}, false},
		"nothing":           {"", "", "cpu", place{}, false},
		"second mount fits": {"1 0 0:1 /a /m1 rw - cgroup2 c rw\n1 0 0:1 / /m2 rw - cgroup2 c rw\n", "0::/b\n", "", place{2, "", "/m2", "/m2/b"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := locate(parseMounts(c.mounts), parseMemberships(c.cgroups), c.controller)
			if got != c.want || ok != c.ok {
				t.Errorf("got %+v %v, want %+v %v", got, ok, c.want, c.ok)
			}
		})
	}
	p, ok := locateCPU(parseMounts(hybridMounts), parseMemberships(hybridCgroups))
	if !ok || p.version != 1 {
		t.Errorf("hybrid: %+v", p)
	}
	p, ok = locateCPU(parseMounts(unifiedMounts), parseMemberships(unifiedCgroups))
	if !ok || p.version != 2 {
		t.Errorf("unified: %+v", p)
	}
}

func TestQuotaFiles(t *testing.T) {
	for text, want := range map[string]float64{"150000 100000\n": 1.5, "max 100000\n": -1, "": -2, "1": -2, "x 1": -2, "1 0": -2, "-1 100000": -2} {
		check(t, "cpu.max "+text, want)(parseCPUMax(text))
	}
	for _, c := range []struct {
		quota, period string
		want          float64
	}{{"50000\n", "100000\n", 0.5}, {"-1\n", "100000\n", -1}, {"1", "", -2}, {"", "1", -2}, {"1", "0", -2}} {
		check(t, "cfs "+c.quota+c.period, c.want)(parseCFS(c.quota, c.period))
	}
}

// check compares with want: cores, -1 for no limit, -2 for an error.
func check(t *testing.T, what string, want float64) func(float64, error) {
	return func(got float64, err error) {
		t.Helper()
		switch {
		case want == -1 && !errors.Is(err, errNoLimit), want == -2 && (err == nil || errors.Is(err, errNoLimit)), want >= 0 && (err != nil || got != want):
			t.Errorf("%q: got %v, %v, want %v", what, got, err, want)
		}
	}
}

func TestParseThrottled(t *testing.T) {
	n, none := unpark.Num, unpark.Number{}
	for text, want := range map[string]Throttling{
		"nr_periods 7\nnr_throttled 2\nthrottled_time 1500000000\n":           {n(1.5), n(7), n(2)},
		"usage_usec 9\nnr_periods 3\nnr_throttled 2\nthrottled_usec 250000\n": {n(0.25), n(3), n(2)},
		"nr_throttled 0\nthrottled_time 0\n":                                  {n(0), none, n(0)},
		"usage_usec 9\nuser_usec 3\n":                                         {}, // v2 without the controller
		"throttled_usec x\nnr_periods -1\n":                                   {},
		"":                                                                    {},
	} {
		if got := parseThrottled(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func FuzzCgroupFiles(f *testing.F) {
	for _, m := range []string{hybridMounts, dockerMounts, unifiedMounts, `1 2 3 \04 \0400 rw - cgroup2 a b`} {
		for _, c := range []string{hybridCgroups, unifiedCgroups, "0::/..\n", "throttled_usec 5\n", "1 2", "3\n4\n0\n"} {
			f.Add(m, c)
		}
	}
	f.Fuzz(func(t *testing.T, mountinfo, text string) {
		mounts, ms := parseMounts(mountinfo), parseMemberships(text)
		for _, controller := range []string{"", "cpu"} {
			p, ok := locate(mounts, ms, controller)
			if ok && p.own != p.top && p.top != "/" && !strings.HasPrefix(p.own, p.top+"/") {
				t.Errorf("%q is not below %q", p.own, p.top)
			}
		}
		if q, err := parseCPUMax(text); err == nil && (q < 0 || math.IsNaN(q)) {
			t.Errorf("quota %v", q)
		}
		if s := parseThrottled(text); s.Seconds.Or(0) < 0 || s.Periods.Or(0) < 0 || s.Stopped.Or(0) < 0 {
			t.Errorf("throttled %v", s)
		}
		for _, pid := range parsePIDs(text) {
			if pid <= 0 {
				t.Errorf("pid %d", pid)
			}
		}
	})
}
