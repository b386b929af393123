package predict

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// freePlaces adds what others wait for a place less, where a wait keeps one that is waited for: a pool whose places are all held serves
// its size ÷ the time for which one is held, so their wait becomes shorter by the same part as that time does. That none of it goes
// is the least: there may be another pool behind.
func (c *cut) freePlaces(s *service, f unpark.Finding) {
	if c.queue || s.limit != unpark.LimitPool || f.Waiter == nil {
		return
	}
	var less float64
	for _, w := range s.m.Answers {
		if w.Function() != f.Waiter.Function {
			continue
		}
		for _, p := range s.m.Pool {
			if !p.Starved && s.m.Share(p.Lost()).Or(0) >= model.BindingShare {
				less = max(less, w.KeepsPlace(s.m, p)*s.m.PerRequest(p.Delay).Or(0))
			}
		}
	}
	if less <= 0 {
		return
	}
	part := c.wait.value / max(c.whole, 1e-12)
	c.wait = span{c.wait.low, c.wait.value + less*part, c.wait.high + less}.atMost(s.mean)
	c.binds = true
}
