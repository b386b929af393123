package external

import (
	"sync"
	"time"

	"github.com/unpark-go/unpark"
)

// usage is the CPU time that a command and its descendants had used, in seconds, at
// instants in ascending order.
type usage struct {
	mu      sync.Mutex
	samples []instant
}

type instant struct {
	at  time.Time
	cpu float64
}

// add notes a reading. A process that ended without its parent waiting for it takes
// its time along, so the sum never falls.
func (u *usage) add(at time.Time, cpu float64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if n := len(u.samples); n > 0 {
		cpu = max(cpu, u.samples[n-1].cpu)
	}
	u.samples = append(u.samples, instant{at, cpu})
}

// cores returns the mean number of cores used between two instants, interpolated
// between the readings around them; unknown when the readings do not cover nine
// tenths of the time.
func (u *usage) cores(from, to time.Time) unpark.Number {
	u.mu.Lock()
	defer u.mu.Unlock()
	n := len(u.samples)
	if n < 2 || u.samples[n-1].cpu == 0 || !from.Before(to) {
		return unpark.Number{}
	}
	length := to.Sub(from)
	if first := u.samples[0].at; from.Before(first) {
		from = first
	}
	if last := u.samples[n-1].at; to.After(last) {
		to = last
	}
	if to.Sub(from) < length*9/10 {
		return unpark.Number{}
	}
	return unpark.Ratio(u.at(to)-u.at(from), to.Sub(from).Seconds())
}

// at interpolates; the caller holds the lock, and t lies within the readings.
func (u *usage) at(t time.Time) float64 {
	for i, s := range u.samples {
		if s.at.Before(t) {
			continue
		}
		if i == 0 || !t.Before(s.at) {
			return s.cpu
		}
		before := u.samples[i-1]
		share := t.Sub(before.at).Seconds() / s.at.Sub(before.at).Seconds()
		return before.cpu + share*(s.cpu-before.cpu)
	}
	return u.samples[len(u.samples)-1].cpu
}
