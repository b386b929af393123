package inspect

import (
	"sync"
	"time"
)

// ticks reads the counter that the runtime measures blocking by, the time stamp counter
// (runtime/asm_amd64.s, cputicks). It is one for all processes of a machine.
func ticks() int64

// clock tells how fast the counter runs, by reading it twice beside the monotonic clock, once: what did not change between two
// readings of a process would else be less in the second, by the difference of two estimates.
type clock struct{ rate func() float64 }

func newClock() clock {
	began, from := time.Now(), ticks()
	return clock{sync.OnceValue(func() float64 {
		if rest := shortestClock - time.Since(began); rest > 0 {
			time.Sleep(rest)
		}
		took, n := time.Since(began), ticks()-from
		return float64(n) / took.Seconds()
	})}
}

// shortestClock is the time from which two readings tell the rate to a ten thousandth.
const shortestClock = 20 * time.Millisecond

// perSecond is how many ticks a second has; it waits until that is known well.
func (c clock) perSecond() float64 { return c.rate() }
