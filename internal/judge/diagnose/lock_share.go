package diagnose

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// mutexFacts puts the delay of some locks into proportion: its part of all mutex delay
// of the application, which is what the mutex profile shows, beside the goroutines
// that wait there on average, which is what it costs. None for less than a part of all.
func mutexFacts(m *model.Model, where string, least float64, mine func(facts.Lock) bool) []unpark.Fact {
	var part, all, waited float64
	source := "mutex.pb.gz"
	for _, seen := range []func(facts.Lock) float64{
		func(l facts.Lock) float64 { return l.Released },
		func(l facts.Lock) float64 { return l.Delay },
	} {
		part, all, waited = 0, 0, 0
		for _, l := range m.Ev.Locks {
			if l.Type == facts.RuntimeLock || l.Type == facts.DescriptorLock || l.Side == unpark.ObserverSide {
				continue
			}
			all += seen(l)
			if mine(l) {
				part += seen(l)
				waited += l.Waited()
			}
		}
		if part > 0 {
			break
		}
		source = locksFrom(m)
	}
	if part <= 0 || part < least*all || m.Seconds <= 0 {
		return nil
	}
	waiters := waited / m.Seconds
	text := "share of the application's mutex delay that is " + where
	if part >= dominantDelay*all && waiters < negligibleWaiters {
		text = "share of the application's mutex delay, which is little, that is " + where
	}
	return []unpark.Fact{
		fact(text, min(1, part/all), "ratio", source),
		fact("waiting for it, on average", waiters, "goroutines", locksFrom(m)),
	}
}

// locksFrom names the file that shows the waits for locks.
func locksFrom(m *model.Model) string {
	switch {
	case m.Present(unpark.KindBlock):
		return unpark.KindBlock.File()
	case m.Traced():
		return unpark.KindTrace.File()
	default:
		return "goroutine.pb.gz"
	}
}
