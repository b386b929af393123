package inspect

import "time"

// ticks reads the counter that the runtime measures blocking by, the time stamp counter
// (runtime/asm_amd64.s, cputicks). It is one for all processes of a machine.
func ticks() int64

// clock tells how fast the counter runs, by reading it twice beside the monotonic clock.
type clock struct {
	began time.Time
	from  int64
}

func newClock() clock { return clock{time.Now(), ticks()} }

// shortestClock is the time from which two readings tell the rate to a ten thousandth.
const shortestClock = 20 * time.Millisecond

// perSecond is how many ticks a second has; it waits until that is known well.
func (c clock) perSecond() float64 {
	if rest := shortestClock - time.Since(c.began); rest > 0 {
		time.Sleep(rest)
	}
	took, n := time.Since(c.began), ticks()-c.from
	return float64(n) / took.Seconds()
}
