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
	ahead  int  // how many of the last phases are blocks that were not asked for yet
}

// Block has the load of an open order go on for so many seconds more, and returns what all agents recorded of them together. Agents
// are told of blocks before they are asked for: one that is named while the one before it goes on begins when that ends.
func (c *Course) Block(ctx context.Context, seconds float64) (unpark.Load, error) {
	s := c.s
	at, block, err := c.block(ctx, time.Duration(seconds*float64(time.Second)))
	if err != nil {
		return unpark.Load{}, err
	}
	end := time.NewTimer(time.Until(s.Start().Add(block.At + block.Length)))
	defer end.Stop()
	select {
	case <-end.C:
	case <-ctx.Done():
		return unpark.Load{}, ctx.Err()
	}
	part := wire.Part{Run: s.run, Phase: at}
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

// block is the next block of a length, by its number among the phases: one that the agents know of, if there is one of that length.
// They know of as many behind it as it takes to hear of another.
func (c *Course) block(ctx context.Context, length time.Duration) (at int, block wire.Phase, err error) {
	known := c.Phases()
	for at = len(known) - c.ahead; at < len(known) && known[at].Length != length; at++ {
	}
	ahead := 1 + int(startAfter/length)
	var more []wire.Phase
	for n := len(known); n <= at+ahead; n++ {
		more = append(more, wire.Phase{Name: wire.Block, At: time.Duration(len(more)) * length, Length: length})
	}
	if err = c.more(ctx, more, false); err != nil {
		return 0, block, err
	}
	c.ahead = ahead
	return at, c.Phases()[at], nil
}

// Last names the phases of an open order that are left, by times after their first; afterwards it is as one whose phases were
// known from the start.
func (c *Course) Last(ctx context.Context, phases []wire.Phase) error {
	return c.more(ctx, phases, true)
}

// more tells the agents of phases that follow, soon; they are the last of the run's by now.
func (c *Course) more(ctx context.Context, phases []wire.Phase, last bool) error {
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
	return s.each(func(m *member) error {
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
