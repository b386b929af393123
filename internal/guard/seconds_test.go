package guard

import (
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// TestEverySecondIsRead: a slow second is in the reading after it, also where another second was told before that, and in none later.
func TestEverySecondIsRead(t *testing.T) {
	second := func(slow int64) vital {
		return vital{At: time.Unix(1, 0), Requests: &timed{Low: []float64{0.001, 0.28}, High: []float64{0.002, 0.3}, Counts: []int64{500, slow}}}
	}
	for name, c := range map[string]struct {
		told [2][]vital // by process, since the reading before
		slow bool
	}{
		"the newest":                    {[2][]vital{{second(0), second(16)}, {second(0)}}, true},
		"one before it":                 {[2][]vital{{second(0)}, {second(16), second(0)}}, true},
		"the first of three":            {[2][]vital{{second(16), second(0), second(0)}, {second(0)}}, true},
		"before a second without any":   {[2][]vital{{second(16), {At: time.Unix(2, 0), Requests: &timed{}}}, {}}, true},
		"none":                          {[2][]vital{{second(0), second(0)}, {second(0)}}, false},
		"too few of all that are timed": {[2][]vital{{second(5), second(0)}, {second(0)}}, false},
	} {
		s := &sampler{said: make([]said, 2)}
		for i, all := range c.told {
			for _, v := range all {
				s.hear(i, v)
			}
		}
		// Until another second is told the newest is read again.
		for i, want := range []bool{c.slow, c.slow && name == "the newest"} {
			r := reading{values: map[metric]unpark.Quantity{}}
			s.requests(&r)
			if got := r.values[p99].Value.Or(0) > 0.2; got != want {
				t.Errorf("%s: reading %d has a p99 of %v, slow: want %v", name, i+1, r.values[p99].Value, want)
			}
		}
	}
}
