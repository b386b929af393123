package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/nats-io/nats.go"

	"github.com/unpark-go/unpark/internal/fleet/hub"
	"github.com/unpark-go/unpark/internal/fleet/wire"
	"github.com/unpark-go/unpark/internal/measure/load"
)

// phases are those of a task, to which more may be added while its load goes on, and what is recorded of each.
type phases struct {
	mu        sync.Mutex
	all       []wire.Phase
	open      bool // more follow
	stretches map[int]*load.Stretch
	changed   chan struct{} // closed, and made anew, with every change
}

func newPhases(t *wire.Task) *phases {
	return &phases{all: t.Phases, open: t.Open, stretches: map[int]*load.Stretch{}, changed: make(chan struct{})}
}

// change makes a change that others wait for.
func (p *phases) change(f func() error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := f()
	close(p.changed)
	p.changed = make(chan struct{})
	return err
}

// until waits until the phases are as they are wanted; false when ctx ends before.
func (p *phases) until(ctx context.Context, wanted func() bool) bool {
	for {
		p.mu.Lock()
		is, changed := wanted(), p.changed
		p.mu.Unlock()
		if is {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// add adds phases; t has all of them afterwards.
func (p *phases) add(t *wire.Task, m wire.More) error {
	return p.change(func() error {
		if !p.open {
			return errors.New("the phases of the run are known already")
		}
		p.all, p.open = append(p.all, m.Phases...), !m.Last
		t.Phases = p.all
		return nil
	})
}

// next is phase i, once that is known; more is false when there is none.
func (p *phases) next(ctx context.Context, i int) (next wire.Phase, more bool, err error) {
	if !p.until(ctx, func() bool { return i < len(p.all) || !p.open }) {
		return next, false, errStopped
	}
	next, more = p.known(i)
	return next, more, nil
}

// known is phase i, if that is known by now.
func (p *phases) known(i int) (wire.Phase, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i >= len(p.all) {
		return wire.Phase{}, false
	}
	return p.all[i], true
}

// whole waits until all phases are known.
func (p *phases) whole(ctx context.Context) bool {
	return p.until(ctx, func() bool { return !p.open })
}

// over says that phase i is over, and what recorded it.
func (p *phases) over(i int, s *load.Stretch) {
	_ = p.change(func() error { // nothing can go wrong
		p.stretches[i] = s
		return nil
	})
}

// block stores what was recorded of a phase that is over, and returns its key.
func (j *job) block(i int) (key string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), answersWithin)
	defer cancel()
	var s *load.Stretch
	if !j.phases.until(ctx, func() bool { s = j.phases.stretches[i]; return s != nil }) {
		return "", fmt.Errorf("phase %d is not over", i)
	}
	s.Load(ctx)
	r, err := j.generator.Load().Record(s)
	if err != nil {
		return "", err
	}
	r.Seconds = nil // which are handed in once, at the end
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		return "", err
	}
	key = fmt.Sprintf("%s/%s/block-%d.json", j.task.Run, j.a.o.Name, i)
	return key, hub.Put(ctx, j.a.nc, key, func() io.ReadCloser { return io.NopCloser(bytes.NewReader(b.Bytes())) })
}

func (a *Agent) onMore(m *nats.Msg) {
	var more wire.More
	j, err := a.asked(m, &more, &more.Run)
	if err == nil {
		err = j.phases.add(j.task, more)
	}
	a.answer(m, wire.Ready{Err: words(err)})
}

func (a *Agent) onBlock(m *nats.Msg) {
	var part wire.Part
	j, err := a.asked(m, &part, &part.Run)
	if err != nil {
		a.answer(m, wire.Ready{Err: words(err)})
		return
	}
	go func() {
		key, err := j.block(part.Phase)
		a.answer(m, wire.Ready{Err: words(err), Record: key})
	}()
}

// asked reads a question about the job that goes on.
func (a *Agent) asked(m *nats.Msg, question any, run *string) (*job, error) {
	if err := json.Unmarshal(m.Data, question); err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.current == nil || a.current.task.Run != *run {
		return nil, fmt.Errorf("there is no prepared run %s", *run)
	}
	return a.current, nil
}

func words(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
