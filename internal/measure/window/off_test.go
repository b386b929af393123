package window

import (
	"context"
	"net/http"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestMemoryIsOff: what a process does not record since its rate is 0 is off, not absent; where the rate is not told, as by the
// probe, a page that is not served is absent.
func TestMemoryIsOff(t *testing.T) {
	refused := &statusError{http.StatusNotFound, "it is not recorded"}
	for _, c := range []struct {
		name string
		rate unpark.Number
		want unpark.Coverage
	}{
		{"rate 0", unpark.Num(0), unpark.Off},
		{"not told", unpark.Number{}, unpark.Absent},
		{"a rate", unpark.Num(512 << 10), unpark.Absent},
	} {
		m := &member{endpoint: &Endpoint{}, lease: &lease{Memory: c.rate}, raw: map[unpark.Kind]*raw{}}
		m.rates(context.Background())
		for _, k := range []unpark.Kind{unpark.KindAllocs, unpark.KindHeap} {
			m.kind(k).err = refused
			if f, _ := new(session).settle(m, k, m.kind(k)); f.State != c.want || f.Note == "" || f.File != "" {
				t.Errorf("%s: %s %+v, want %s", c.name, k, f, c.want)
			}
		}
	}
}
