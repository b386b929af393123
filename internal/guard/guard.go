package guard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// Defaults of a guard.
const (
	DefaultDuration = 10 * time.Second // of the window after the trigger
	DefaultKeep     = 20
)

// Config says what to wait for, and where.
type Config struct {
	Conditions []Condition
	// Open finds the target: the addresses of its endpoints, and what closes them. It is asked again
	// when the target was lost, unless it is Once: named by a number that ends with it.
	Open    func(ctx context.Context) (addresses []string, done func() error, err error)
	Once    bool
	Token   string
	Log     string           // file that is followed; empty: none
	Signals <-chan os.Signal // for the condition signal; may be nil
	Capture investigate.Config
	Out     string // folder for catches
	Limit   Limit
	Keep    int           // catches of this guard that are kept; 0: all
	Flight  time.Duration // what a flight recorder keeps; 0: none is armed
	Tell    func(Event)   // called from one goroutine
}

// tick is how often figures are read.
const tick = time.Second

// Run arms the guard until ctx ends, which is no error. It fails when the target cannot be found at
// the start, or cannot tell a condition.
func Run(ctx context.Context, c Config) error {
	g := &guard{c: c, states: newStates(c.Conditions), limiter: limiter{limit: c.Limit}, name: nameOfAll(c.Conditions)}
	if c.Log != "" {
		log, err := follow(c.Log)
		if err != nil {
			return err
		}
		g.log = log
		defer func() { _ = log.Close() }() // it was only read
	}
	err := g.run(ctx)
	if g.armed {
		g.tell(Event{Kind: ended, Catch: g.catches, LeftOut: g.leftOut})
	}
	return err
}

func nameOfAll(conditions []Condition) string {
	var all []string
	for _, c := range conditions {
		all = append(all, c.Text)
	}
	return strings.Join(all, " or ")
}

// guard is a guard while it is armed.
type guard struct {
	c       Config
	name    string // all its conditions
	states  *states
	limiter limiter
	log     *follower // nil without one
	armed   bool      // it was, once: before that there is nothing to end
	catches int
	leftOut int
}

func (g *guard) tell(e Event) {
	e.At = time.Now().UTC()
	g.armed = g.armed || e.Kind == armed
	if g.c.Tell != nil {
		g.c.Tell(e)
	}
}

// run has one session after the other: each lasts until the target is lost, or a day is
// nearly over, for which things are lent at most.
func (g *guard) run(ctx context.Context) error {
	for first := true; ; first = false {
		s, err := g.arm(ctx)
		if err != nil && (first || !lostAgain(err)) {
			return err
		}
		if err == nil {
			err = s.watch(ctx)
			if closed := s.close(); closed != nil {
				g.tell(Event{Kind: note, Error: closed.Error()})
			}
			switch {
			case ctx.Err() != nil:
				return nil
			case err != nil && g.c.Once:
				return err
			case err != nil:
				g.tell(Event{Kind: lost, Error: err.Error()})
			}
		}
		if !wait(ctx, tick) {
			return nil
		}
	}
}

// refused is an error that does not go away by waiting.
type refused struct{ error }

func (r refused) Unwrap() error { return r.error }

// lostAgain reports whether the target may come back.
func lostAgain(err error) bool {
	var r refused
	return !errors.As(err, &r)
}

func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// arm finds the target and lends what it needs.
func (g *guard) arm(ctx context.Context) (*session, error) {
	addresses, done, err := g.c.Open(ctx)
	if err != nil {
		return nil, err
	}
	inside, cancel := context.WithCancel(ctx)
	s := &session{g: g, addresses: addresses, done: done, cancel: cancel}
	err = s.connect(ctx)
	if err == nil {
		err = s.lend(inside)
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// connect finds who answers at the endpoints, and whether they can tell what is waited for.
func (s *session) connect(ctx context.Context) error {
	for _, address := range s.addresses {
		e, err := window.NewEndpoint(address, s.g.c.Token)
		if err != nil {
			return refused{err}
		}
		s.endpoints = append(s.endpoints, e)
		if err := e.Probe(ctx); err != nil {
			return fmt.Errorf("guard: %w", err)
		}
		e.Locate(ctx)
	}
	window.Number(s.endpoints)
	if err := check(s.g.c.Conditions, s.endpoints, s.g.c.Log); err != nil {
		return refused{err}
	}
	return nil
}

// lend takes the first readings, and begins to follow the processes.
func (s *session) lend(inside context.Context) error {
	g := s.g
	s.standing = window.Stand(inside, s.endpoints, g.c.Capture.Rates, sessionLength)
	s.standing.Guard(inside, s.endpoints, g.c.Flight, sessionLength)
	for _, text := range s.standing.Notes {
		g.tell(Event{Kind: note, Error: text})
	}
	if err := s.standing.Keep(inside); err != nil {
		return err
	}
	s.sampler = startSampler(inside, s.endpoints)
	return nil
}

// armed tells what is watched, with a first figure.
func (s *session) armed(r reading) {
	e := Event{Kind: armed, Guard: s.g.name, Flight: s.g.c.Flight > 0}
	for _, of := range s.endpoints {
		e.Processes = append(e.Processes, of.Address)
		e.Flight = e.Flight && of.Info != nil && of.Info.Flight
	}
	first := s.g.c.Conditions[0]
	e.Condition = string(first.metric)
	if v, ok := r.values[first.metric]; ok && v.Value.Known() {
		e.Value = &v
	}
	s.g.tell(e)
}

// fits bounds a line of a log that documents and messages quote, and takes out what
// URLs in it may hold.
func fits(line string) string {
	const most = 300
	text := unpark.RedactText(line)
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
