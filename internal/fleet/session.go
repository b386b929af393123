package fleet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/wire"
)

// Order is one load level for several agents.
type Order struct {
	Agents  []Agent
	Plan    unpark.Plan         // its Share is set for each; without load they only capture
	Loading []string            // names of those that drive it; empty: all
	Hosts   []string            // that the user named, and the agents may load
	Phases  []wire.Phase        // in order; [Phases] makes them
	Open    bool                // more phases follow: [Course.Block] and [Course.Last]
	Window  string              // folder in the run directory, "window-01"
	Capture map[string][]string // by agent: endpoints, and pid:N
	Block   time.Duration
	Mutex   int
	Taken   []int // numbers that processes of the coordinator have
	// Create makes a file of the run; nil where nothing is captured.
	Create func(name string) (io.WriteCloser, error)
}

// Session is a level while it goes on.
type Session struct {
	f        *Fleet
	o        Order
	run      string
	Course   *Course
	start    int64 // by the coordinator's clock
	members  []*member
	subs     []*nats.Subscription
	stopping chan struct{}
	ended    sync.Once
	loops    sync.WaitGroup
}

// Begin prepares all agents and names the start. When one cannot take part nothing has
// begun, and all are let go.
func (f *Fleet) Begin(ctx context.Context, o Order) (*Session, error) {
	s := &Session{f: f, o: o, run: strings.ToLower(rand.Text()), stopping: make(chan struct{})}
	s.Course = &Course{s: s, phases: o.Phases, open: o.Open}
	if err := s.split(); err != nil {
		return nil, err
	}
	if err := s.listen(); err != nil {
		s.End()
		return nil, err
	}
	s.loops.Go(s.lease)
	err := s.each(func(m *member) error {
		if err := f.again(ctx, &m.agent); err != nil {
			return err
		}
		return s.prepare(ctx, m)
	})
	if err == nil {
		s.number()
		s.start = f.clock.Now() + int64(startAfter)
		for _, m := range s.members {
			m.mu.Lock()
			m.heard, m.silent, m.until = time.Now(), 0, s.Start().Add(m.task.End())
			m.mu.Unlock()
		}
		err = s.each(func(m *member) error { return s.name(ctx, m) })
	}
	if err != nil {
		s.End()
		return nil, err
	}
	return s, nil
}

// Start is the instant at which the load begins, with a monotonic reading.
func (s *Session) Start() time.Time { return s.f.clock.Time(s.start) }

// split gives every agent its task.
func (s *Session) split() error {
	var loading []int
	for i, a := range s.o.Agents {
		if s.loads(a.Name) {
			loading = append(loading, i)
		}
	}
	traced := max(1, mostTraced/max(1, len(s.o.Capture)))
	for i, a := range s.o.Agents {
		m := &member{agent: a, came: make(chan struct{}), heard: time.Now()}
		m.task = wire.Task{
			Run: s.run, Window: s.o.Window, Level: s.o.Plan.Level(), Phases: s.o.Phases, Open: s.o.Open,
			Capture: s.o.Capture[a.Name], Block: s.o.Block, Mutex: s.o.Mutex, Traced: traced, Hosts: s.o.Hosts,
		}
		for k, at := range loading {
			if at != i {
				continue
			}
			plan := s.o.Plan
			plan.Share = unpark.Share{Index: k, Of: len(loading)}
			p, err := wire.NewPlan(plan)
			if err != nil {
				return err
			}
			m.task.Plan = p
		}
		s.members = append(s.members, m)
	}
	if len(loading) == 0 && s.o.Plan.Mode != unpark.NoLoad {
		return errors.New("drive load from agents: none of them is to drive it")
	}
	return nil
}

func (s *Session) loads(name string) bool {
	if s.o.Plan.Mode == unpark.NoLoad {
		return false
	}
	for _, n := range s.o.Loading {
		if n == name {
			return true
		}
	}
	return len(s.o.Loading) == 0
}

// each asks all agents at once, and joins what went wrong.
func (s *Session) each(f func(*member) error) error {
	errs := make([]error, len(s.members))
	var wg sync.WaitGroup
	for i, m := range s.members {
		wg.Go(func() {
			if err := f(m); err != nil {
				errs[i] = fmt.Errorf("agent %s: %w", m.agent.Name, err)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// ask expects a Ready.
func (s *Session) ask(ctx context.Context, m *member, what string, within time.Duration, question any) (wire.Ready, error) {
	var r wire.Ready
	text, err := json.Marshal(question)
	if err != nil {
		return r, err
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	answer, err := s.f.nc.RequestWithContext(ctx, wire.Subject(m.agent.Name, what), text)
	if err != nil {
		return r, fmt.Errorf("no answer to %q within %v: %w", what, within, err)
	}
	if err := json.Unmarshal(answer.Data, &r); err != nil {
		return r, fmt.Errorf("its answer to %q cannot be read: %w", what, err)
	}
	if r.Err != "" {
		return r, errors.New(r.Err)
	}
	return r, nil
}

// again compares a clock that was compared long ago: a search is dozens of sessions of the same agents, and each is told its start
// by what was known of its clock.
func (f *Fleet) again(ctx context.Context, a *Agent) error {
	if time.Since(a.looked) < fresh {
		return nil
	}
	f.look(ctx, a)
	if a.Refused != "" {
		return errors.New(a.Refused)
	}
	return nil
}

func (s *Session) prepare(ctx context.Context, m *member) error {
	pieces, err := wire.Pieces(m.task)
	if err != nil {
		return err
	}
	for _, p := range pieces {
		if _, err := s.ask(ctx, m, "plan", askWithin, p); err != nil {
			return err
		}
	}
	r, err := s.ask(ctx, m, "prepare", prepareWithin, struct{}{})
	m.pids = r.Processes
	return err
}

// number gives every process a number that it alone has: its own, unless an earlier one has
// that; then the next below 0.
func (s *Session) number() {
	taken := map[int]bool{}
	for _, pid := range s.o.Taken {
		taken[pid] = true
	}
	next := -1
	for _, m := range s.members {
		m.numbers = map[int]int{}
		for _, pid := range m.pids {
			n := pid
			if n <= 0 || taken[n] {
				for taken[next] {
					next--
				}
				n = next
			}
			taken[n] = true
			m.numbers[pid] = n
		}
	}
}

// name tells an agent when it starts, by its own clock.
func (s *Session) name(ctx context.Context, m *member) error {
	_, err := s.ask(ctx, m, "start", startAfter, wire.Start{Run: s.run, At: s.start + int64(m.agent.Clock.Ahead), Numbers: m.numbers})
	return err
}

// lease tells the agents that the coordinator is there.
func (s *Session) lease() {
	t := time.NewTicker(wire.Beat)
	defer t.Stop()
	for {
		_ = s.f.nc.Publish(wire.Of("lease", s.run), nil) // an agent that hears none ends by itself
		select {
		case <-t.C:
		case <-s.stopping:
			return
		}
	}
}

// Live is how the load of all agents goes right now: the highest p99 of theirs.
func (s *Session) Live() (rps, p99 float64, failed int64, inFlight int) {
	for _, m := range s.members {
		m.mu.Lock()
		rps, p99 = rps+m.sign.RPS, max(p99, m.sign.P99)
		failed, inFlight = failed+m.sign.Errors, inFlight+m.sign.InFlight
		m.mu.Unlock()
	}
	return rps, p99, failed, inFlight
}

// End lets the agents go; what they do ends. It may be called again.
func (s *Session) End() {
	s.ended.Do(func() {
		close(s.stopping)
		s.loops.Wait()
		_ = s.each(func(m *member) error {
			m.mu.Lock()
			over := m.done != nil
			m.mu.Unlock()
			if over {
				return nil
			}
			_, err := s.ask(context.Background(), m, "stop", askWithin, struct{}{})
			return err // without an answer its lease runs out
		})
		for _, sub := range s.subs {
			_ = sub.Unsubscribe()
		}
	})
}
