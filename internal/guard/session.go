package guard

import (
	"context"
	"path/filepath"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// session is one target as long as it is there.
type session struct {
	g         *guard
	addresses []string
	done      func() error
	cancel    context.CancelFunc
	endpoints []*window.Endpoint
	standing  *window.Standing
	sampler   *sampler

	catching chan catch // of the catch that goes on; nil when there is none
	missed   int        // conditions that fired meanwhile
}

// catch is one that has ended.
type catch struct {
	outcome investigate.Outcome
	err     error
}

// close gives everything back.
func (s *session) close() error {
	s.standing.Release()
	s.cancel()
	for _, e := range s.endpoints {
		e.Close()
	}
	return s.done()
}

// watch reads figures until ctx ends or the target is lost; nil when the session is only over.
// A catch that goes on is waited for.
func (s *session) watch(ctx context.Context) error {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	told := false
	for reads := 1; ; {
		var err error
		select {
		case <-ctx.Done():
		case err = <-s.sampler.lost:
			s.finish()
			return err
		case end := <-s.catching:
			s.end(end)
			continue
		case <-ticker.C:
			var r reading
			if r, err = s.look(ctx); err == nil {
				if !told && (s.figured(r) || reads >= firstFigure) {
					s.armed(r)
					told = true
				}
				reads++
				s.judge(ctx, r)
			}
		}
		if err != nil || ctx.Err() != nil {
			s.finish()
			return err
		}
	}
}

// firstFigure is after how many readings a guard says that it is armed, without a first figure: the
// first line of vitals comes with the second reading or so.
const firstFigure = 4

// figured reports whether a reading has a figure of the first condition, or it has none.
func (s *session) figured(r reading) bool {
	first := s.g.c.Conditions[0].metric
	return first.event() || r.values[first].Value.Known()
}

// finish waits for a catch: it ends with ctx, or with the target.
func (s *session) finish() {
	if s.catching != nil {
		s.end(<-s.catching)
	}
}

// look takes all readings that are due.
func (s *session) look(ctx context.Context) (reading, error) {
	if err := s.standing.Keep(ctx); err != nil {
		return reading{}, err
	}
	r, err := s.sampler.read(ctx)
	if err != nil {
		return r, err
	}
	lines, err := s.g.log.lines()
	if err != nil {
		s.g.tell(Event{Kind: note, Error: err.Error()}) // the other conditions are watched on
	}
	r.lines = lines
	for {
		select {
		case <-s.g.c.Signals:
			r.signals++
			continue
		default:
		}
		return r, nil
	}
}

// judge begins a catch when a condition fires and the limit allows it.
func (s *session) judge(ctx context.Context, r reading) {
	f, ok := s.g.states.see(r)
	if !ok {
		return
	}
	if s.catching != nil {
		s.missed++
		return
	}
	e := Event{Kind: triggers, Condition: f.condition.Text, Line: fits(f.line)}
	if f.value.Value.Known() {
		e.Value = &f.value
	}
	next, allowed := s.g.limiter.take(f.at)
	if !allowed {
		s.g.leftOut++
		e.Kind, e.LeftOut, e.Next = leftOut, s.g.leftOut, &next
		s.g.tell(e)
		return
	}
	s.g.tell(e)
	s.begin(ctx, f)
}

func (s *session) begin(ctx context.Context, f fired) {
	c := s.g.c.Capture
	c.Pprof, c.Since, c.Token = s.addresses, s.standing, s.g.c.Token
	c.Dir = filepath.Join(s.g.c.Out, nameOf(f.at))
	c.Trigger = &unpark.Trigger{Guard: s.g.name, Condition: f.condition.Text, At: f.at.UTC(), Value: f.value, Line: fits(f.line)}
	s.catching = make(chan catch, 1)
	s.standing.Pause(true)
	go func() {
		outcome, err := investigate.Run(ctx, c)
		s.catching <- catch{outcome, err}
	}()
}

// end tells what was caught, and removes what is too old.
func (s *session) end(c catch) {
	s.catching = nil
	s.standing.Pause(false)
	e := Event{Kind: caught, Dir: c.outcome.Dir, LeftOut: s.missed}
	s.missed = 0
	if t := c.outcome.Run.Trigger; t != nil {
		e.Condition = t.Condition
	}
	if c.err != nil {
		e.Kind, e.Error = failed, c.err.Error()
		s.g.tell(e)
		return
	}
	s.g.catches++
	e.Catch, e.Limit = s.g.catches, &c.outcome.Run.Limit
	if len(c.outcome.Run.Findings) > 0 {
		e.Finding = &c.outcome.Run.Findings[0]
	}
	var err error
	if e.Removed, err = prune(s.g.c.Out, s.g.name, s.g.c.Keep); err != nil {
		e.Error = err.Error()
	}
	s.g.tell(e)
}
