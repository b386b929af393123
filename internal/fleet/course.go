package fleet

import (
	"context"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/wire"
	"github.com/unpark-go/unpark/internal/measure/load"
)

// Course is the phases of a session, as far as they are known.
type Course struct {
	s      *Session
	mu     sync.Mutex
	phases []wire.Phase
	open   bool // more follow
}

// Block has the load of an open order go on for so many seconds more, and returns what all agents recorded of them together.
func (c *Course) Block(ctx context.Context, seconds float64) (unpark.Load, error) {
	s := c.s
	added, err := c.more(ctx, []wire.Phase{{Name: wire.Block, Length: time.Duration(seconds * float64(time.Second))}}, false)
	if err != nil {
		return unpark.Load{}, err
	}
	end := time.NewTimer(time.Until(s.Start().Add(added[0].At + added[0].Length)))
	defer end.Stop()
	select {
	case <-end.C:
	case <-ctx.Done():
		return unpark.Load{}, ctx.Err()
	}
	part := wire.Part{Run: s.run, Phase: len(c.Phases()) - 1}
	var mu sync.Mutex
	var all *load.Record
	err = s.each(func(m *member) error {
		if m.task.Plan == nil {
			return nil
		}
		r, err := s.ask(ctx, m, "block", blockWithin, part)
		if err != nil {
			return err
		}
		return s.object(ctx, r.Record, func(in io.Reader) error {
			one, err := load.ReadRecord(in)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			if all == nil {
				all = one
				return nil
			}
			return all.Merge(one)
		})
	})
	if err != nil {
		return unpark.Load{}, err
	}
	return all.Load(0), nil
}

// Last names the phases of an open order that are left, by times after their first; afterwards it is as one whose phases were
// known from the start.
func (c *Course) Last(ctx context.Context, phases []wire.Phase) error {
	_, err := c.more(ctx, phases, true)
	return err
}

// more tells the agents of phases that follow, soon, and returns them as they are in the run.
func (c *Course) more(ctx context.Context, phases []wire.Phase, last bool) ([]wire.Phase, error) {
	s := c.s
	at := time.Since(s.Start()) + startAfter
	for _, p := range c.Phases() {
		at = max(at, p.At+p.Length)
	}
	phases = slices.Clone(phases)
	for i := range phases {
		phases[i].At += at
	}
	c.mu.Lock()
	c.phases, c.open = append(c.phases, phases...), !last
	all := slices.Clone(c.phases)
	c.mu.Unlock()
	for _, m := range s.members {
		m.mu.Lock()
		m.task.Phases = all
		m.until = s.Start().Add(m.task.End())
		m.mu.Unlock()
	}
	return phases, s.each(func(m *member) error {
		_, err := s.ask(ctx, m, "more", startAfter, wire.More{Run: s.run, Phases: phases, Last: last})
		return err
	})
}

// Phases are those of the session, in order, as far as they are known by now.
func (c *Course) Phases() []wire.Phase {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.phases)
}

// Phase is what goes on now, and for how long: "warmup" before a phase that is not known yet, "collect" after the last.
func (c *Course) Phase() (name string, left time.Duration) {
	since := time.Since(c.s.Start())
	c.mu.Lock()
	defer c.mu.Unlock()
	if name = "collect"; c.open {
		name = "warmup"
	}
	for _, p := range slices.Backward(c.phases) {
		if since < p.At+p.Length {
			name, left = p.Name, p.At+p.Length-max(since, 0)
		}
	}
	return name, left
}
