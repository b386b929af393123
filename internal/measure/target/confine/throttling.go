package confine

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
)

// Throttling is how much a CPU limit has stopped a cgroup since it was made.
type Throttling struct {
	// Seconds are summed over processors: eight that stand still for a tenth of a second
	// are 0.8 s, and no measure of how long the cgroup stood still.
	Seconds unpark.Number
	// Periods of the limit (cpu.max, 100 ms if not set otherwise) in which something ran,
	// and those in which it was stopped.
	Periods, Stopped unpark.Number
}

// plus adds what another cgroup's limit did.
func (t Throttling) plus(o Throttling) Throttling {
	sum := func(a, b unpark.Number) unpark.Number {
		if !a.Known() || !b.Known() {
			return unpark.Number{}
		}
		return unpark.Num(a.Or(0) + b.Or(0))
	}
	return Throttling{sum(t.Seconds, o.Seconds), sum(t.Periods, o.Periods), sum(t.Stopped, o.Stopped)}
}

func (c Cgroup) throttled() Throttling {
	text, err := os.ReadFile(filepath.Join(c.QuotaDir, "cpu.stat"))
	if err != nil {
		return Throttling{}
	}
	return parseThrottled(string(text))
}

// parseThrottled reads cpu.stat; what the cpu controller does not count there is
// unknown.
func parseThrottled(text string) Throttling {
	var t Throttling
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) != 2 {
			continue
		}
		n, err := strconv.ParseUint(f[1], 10, 64)
		if err != nil {
			continue
		}
		switch v := float64(n); f[0] {
		case "throttled_time": // v1
			t.Seconds = unpark.Num(v * 1e-9)
		case "throttled_usec": // v2
			t.Seconds = unpark.Num(v * 1e-6)
		case "nr_periods":
			t.Periods = unpark.Num(v)
		case "nr_throttled":
			t.Stopped = unpark.Num(v)
		}
	}
	return t
}
