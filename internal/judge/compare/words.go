package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
)

// titled names a finding for a sentence: "the lock in store.Get".
func titled(f unpark.Finding) string {
	if f.Site.IsZero() {
		return noun(f.Class)
	}
	return noun(f.Class) + " in " + unpark.ShortFunction(f.Site.Function)
}

func noun(c unpark.Class) string {
	switch c {
	case unpark.ClassLock:
		return "the lock"
	case unpark.ClassChannel:
		return "the wait on a channel"
	case unpark.ClassCPU:
		return "the computing"
	case unpark.ClassAlloc:
		return "the allocation"
	case unpark.ClassGC:
		return "the garbage collection"
	case unpark.ClassSyscall:
		return "the system call"
	case unpark.ClassIO:
		return "the file I/O"
	case unpark.ClassDownstream:
		return "the wait for another service"
	case unpark.ClassPool:
		return "the wait for a pool"
	case unpark.ClassLeak:
		return "the leak"
	case unpark.ClassRateLimit:
		return "the rate limiter"
	case unpark.ClassRecompute:
		return "the repeated computing"
	case unpark.ClassQuota:
		return "the quota"
	default:
		return "the finding"
	}
}

// burden says what a finding costs in the unit in which people think of it; "" when
// nothing is known.
func burden(c unpark.Cost) string {
	for _, q := range []unpark.Quantity{c.MeanWaiters, c.CPUPerRequest, c.BytesPerRequest, c.WaitPerRequest, c.Cores, c.Goroutines} {
		v, ok := q.Value.Get()
		if !ok {
			continue
		}
		switch q.Unit {
		case "waiters":
			return figure(v) + " waiters"
		case "s/req":
			if q == c.CPUPerRequest {
				return seconds(v) + " of CPU per request"
			}
			return seconds(v) + " of waiting per request"
		case "B/req":
			return bytes(v) + " per request"
		default:
			return figure(v) + " " + q.Unit
		}
	}
	return ""
}

// figure prints three significant digits, never with an exponent.
func figure(v float64) string {
	if v == 0 {
		return "0"
	}
	decimals := 2 - int(math.Floor(math.Log10(math.Abs(v))))
	s := fmt.Sprintf("%.*f", min(max(decimals, 0), 6), v)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func seconds(v float64) string {
	switch {
	case v >= 1:
		return figure(v) + " s"
	case v >= 1e-3:
		return figure(v*1e3) + " ms"
	default:
		return figure(v*1e6) + " µs"
	}
}

func bytes(v float64) string {
	switch {
	case v >= 1e6:
		return figure(v/1e6) + " MB"
	case v >= 1e3:
		return figure(v/1e3) + " kB"
	default:
		return figure(v) + " B"
	}
}

// step prints a ratio as a change: "+52 %", "−7.1 %"; as a factor, "×3.54", "×0.043",
// where it or its interval is far from 1, as the table does.
func step(q unpark.Quantity) string {
	ratio := q.Value.Or(1)
	for _, n := range []unpark.Number{q.Value, q.Low, q.High} {
		if v := n.Or(1); v >= 2 || v <= 0.5 {
			if ratio >= 1e-4 && ratio < 0.1 {
				return "×" + strconv.FormatFloat(ratio, 'g', 2, 64)
			}
			return "×" + figure(ratio)
		}
	}
	share := 100 * (ratio - 1)
	if math.Abs(share) >= 10 {
		return sign(share) + fmt.Sprintf("%.0f %%", math.Abs(share))
	}
	return sign(share) + fmt.Sprintf("%.1f %%", math.Abs(share))
}

func sign(v float64) string {
	if v < 0 {
		return "−"
	}
	return "+"
}

// binder names what binds as the subject of a sentence; "" when nothing or nothing
// known does.
func binder(k unpark.LimitKind) string {
	switch k {
	case unpark.LimitCPU:
		return "CPU"
	case unpark.LimitLock:
		return "a lock"
	case unpark.LimitChannel:
		return "a channel"
	case unpark.LimitGC:
		return "garbage collection"
	case unpark.LimitQuota:
		return "the CPU quota"
	case unpark.LimitPool:
		return "a pool"
	case unpark.LimitIO:
		return "file I/O"
	case unpark.LimitDownstream:
		return "another service"
	case unpark.LimitNetwork:
		return "the network"
	case unpark.LimitGenerator:
		return "the load generator"
	case unpark.LimitRateLimit:
		return "a rate limiter"
	default:
		return ""
	}
}

// extent says how far a limit is used: "at 1.98 of 2 cores"; "" when it is not
// known.
func extent(r unpark.Run) string {
	switch r.Limit.Kind {
	case unpark.LimitCPU, unpark.LimitGC, unpark.LimitQuota:
		used, ok := cores(r)
		if allowed := allowed(r); ok && allowed > 0 {
			return fmt.Sprintf(" at %.2f of %s", used, unpark.Plural(figure(allowed), "core"))
		}
	}
	return ""
}

func cores(r unpark.Run) (float64, bool) {
	w := r.Measured()
	if w == nil {
		return 0, false
	}
	return sum(w, func(p unpark.Process) unpark.Number { return p.Cores })
}

func allowed(r unpark.Run) float64 {
	w := r.Measured()
	if w == nil {
		return 0
	}
	return r.Target.Cores(r.Host, *w).Or(0)
}
