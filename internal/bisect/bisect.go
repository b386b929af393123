package bisect

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/judge/bisect"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/turns"
)

// Config says where to search, and for what.
type Config struct {
	// Run is what all commits share: plan, quota, rates, patience, and WorkDir, whose repository it is. Its Command,
	// Package, Built and Dir are not used.
	Run       investigate.Config
	Package   string
	Arguments []string
	Good, Bad string // revisions
	Metric    string // as compare has it: "cpu_per_request"
	Dir       string // of the result; one of the same search is gone on with
	Budget    time.Duration
	Seed      uint64 // of the order in a round
	// Functions asks which functions changed in the commit that is found.
	Functions bool
	Tell      func(line string, e *investigate.Event)
}

// DefaultBudget is how long a search may take.
const DefaultBudget = time.Hour

// Run searches. What is known when ctx or the budget ends comes with the error, and stays in the journal.
func Run(ctx context.Context, c Config) (unpark.Bisection, error) {
	return newSearch(c).all(ctx)
}

func newSearch(c Config) *search {
	s := &search{c: c, began: time.Now(), built: map[int]*turns.Built{}, driver: turns.New(c.Run, c.Seed), hashes: map[int]string{}, broken: map[int]string{}}
	s.driver.Tell = func(_ string, e investigate.Event) { s.tell("", &e) }
	return s
}

func (s *search) all(ctx context.Context) (unpark.Bisection, error) {
	defer s.discard()
	if err := s.open(ctx); err != nil {
		return unpark.Bisection{}, err
	}
	defer s.journal.close()
	err := s.run(ctx)
	if ctx.Err() != nil {
		err = errors.New("interrupted: the same command goes on with it")
	}
	document := s.document()
	return document, errors.Join(err, write(s.c.Dir, document))
}

// search is a bisection while it goes on.
type search struct {
	c       Config
	began   time.Time
	driver  *turns.Driver
	journal *journal

	good, bad string // hashes
	history   history
	built     map[int]*turns.Built // by candidate, 0 the good end
	hashes    map[int]string       // of their programs
	broken    map[int]string       // candidates that do not build or run: why
	rounds    []round
	earlier   []entry // rounds of the journal, until the candidates are known
	builds    int
	outcome   string
	why       string
	warnings  []unpark.Notice
	changed   *changed // nil until it was measured
}

// round is a candidate against the good end.
type round struct {
	at   int
	pair compare.Pair
}

func (s *search) run(ctx context.Context) error {
	if err := s.ends(ctx); err != nil || s.outcome != "" {
		return err
	}
	for {
		p := s.posterior()
		if p.Sure() {
			s.outcome = found
			return (&dissection{s: s, best: p.Best()}).run(ctx)
		}
		at, ok := p.Next()
		if !ok {
			s.outcome, s.why = unsure, "no commit that can be measured tells more"
			return nil
		}
		if s.spent() {
			s.outcome, s.why = unsure, fmt.Sprintf("the budget of %v was spent: --budget", s.c.Budget)
			return nil
		}
		if err := s.measure(ctx, at); err != nil {
			return err
		}
	}
}

// The outcomes of a search (unpark.Bisection).
const (
	found     = "found"
	same      = "same"
	identical = "identical"
	unsure    = "unsure"
)

// ends says whether the two ends differ; an outcome is set where they do not.
func (s *search) ends(ctx context.Context) error {
	n := s.history.n()
	for i, at := range []int{0, n} {
		if err := s.build(ctx, at); err != nil {
			return fmt.Errorf("the %s end %.12s: %w", []string{"good", "bad"}[i], s.history.hash(at), err)
		}
	}
	s.narrow(ctx)
	n = s.history.n()
	if s.hashes[0] == s.hashes[n] {
		s.outcome, s.why = identical, "the programs of both ends are the same, byte for byte but for build IDs: what differs is not in the commits"
		return nil
	}
	for {
		switch ratios := s.ratios(n); bisect.Differ(ratios) {
		case bisect.Different:
			s.say(fmt.Sprintf("the ends differ: %s after %s", change(bisect.EffectOf(ratios)), counted(len(ratios))))
			return nil
		case bisect.Same:
			s.outcome, s.why = same, fmt.Sprintf("%s of both ends show no difference", counted(len(ratios)))
			return nil
		case bisect.More:
			if s.spent() {
				s.outcome, s.why = unsure, fmt.Sprintf("the budget of %v was spent before the ends could be told apart: --budget", s.c.Budget)
				return nil
			}
			if err := s.measure(ctx, n); err != nil {
				return err
			}
		}
	}
}

// narrow leaves out the commits that change nothing that the program is built from. The bad end stands for the last that
// does: their programs are the same.
func (s *search) narrow(ctx context.Context) {
	last := s.history.n()
	if err := s.history.used(ctx, s.built[0], s.built[last]); err != nil {
		s.warn("sources-unknown", fmt.Sprintf("every commit counts as one that changes the program: %v", err), "see that `go list -deps` works at both ends")
	}
	if n := s.history.n(); n != last {
		s.built[n], s.hashes[n] = s.built[last], s.hashes[last]
		delete(s.built, last)
		delete(s.hashes, last)
	}
	s.replay()
	s.say(fmt.Sprintf("%s, of which %d may change the program", unpark.Counted(int64(len(s.history.commits)), "commit"), s.history.n()))
}

// measure adds a round of a candidate. One that does not build or run is left out of the search; an end that does not is an
// error.
func (s *search) measure(ctx context.Context, at int) error {
	err := s.build(ctx, at)
	if err == nil {
		if twin, ok := s.twin(at); ok {
			s.say(fmt.Sprintf("%s is byte for byte the program of %s", s.history.name(at), s.history.name(twin)))
			return nil
		}
		err = s.pair(ctx, at)
	}
	if err == nil || ctx.Err() != nil || at == s.history.n() {
		return err
	}
	s.broken[at] = err.Error()
	first, _, _ := strings.Cut(err.Error(), "\n")
	s.say(fmt.Sprintf("%s cannot be measured: %s", s.history.name(at), strings.TrimSuffix(first, ":")))
	return s.journal.broken(s.history.hash(at), err)
}

// twin is an earlier candidate with the same program.
func (s *search) twin(at int) (int, bool) {
	for other, hash := range s.hashes {
		if other < at && hash == s.hashes[at] {
			return other, true
		}
	}
	return 0, false
}

// pair measures a candidate against the good end; a round that fails is repeated once.
func (s *search) pair(ctx context.Context, at int) error {
	var err error
	for range turns.Attempts {
		label := fmt.Sprintf("round %d", len(s.rounds)+1)
		var p compare.Pair
		started := time.Now()
		if p, _, err = s.driver.Pair(ctx, s.built[0], s.built[at], label); err == nil {
			s.rounds = append(s.rounds, round{at, p})
			s.tellRound(at, p)
			return s.journal.round(s.history.hash(at), started, p)
		}
		if ctx.Err() != nil {
			return err
		}
	}
	return err
}

// build makes a candidate ready, once.
func (s *search) build(ctx context.Context, at int) error {
	if _, ok := s.built[at]; ok {
		return nil
	}
	hash := s.history.hash(at)
	b, err := s.driver.Build(ctx, fmt.Sprintf("%.12s", hash), turns.Arm{Package: s.c.Package, Revision: hash, Command: s.c.Arguments, Trim: true})
	if err != nil {
		return errors.Join(err, b.Remove())
	}
	s.built[at] = b
	s.builds++
	s.hashes[at], err = hashOf(b.Binary)
	return err
}

// ratios are the log ratios of a candidate's rounds that have one.
func (s *search) ratios(at int) []float64 {
	var out []float64
	for i, r := range s.corrected() {
		if s.rounds[i].at == at && !math.IsNaN(r) {
			out = append(out, r)
		}
	}
	return out
}

// corrected are the log ratios of all rounds, corrected for the machine's speed by all of them.
func (s *search) corrected() []float64 {
	pairs := make([]compare.Pair, len(s.rounds))
	for i, r := range s.rounds {
		pairs[i] = r.pair
	}
	ratios, _ := compare.Ratios(s.c.Metric, pairs)
	return ratios
}

// posterior is what all rounds say, from the beginning: a later round moves what the machine's speed does to the earlier.
func (s *search) posterior() *bisect.Search {
	n := s.history.n()
	p := bisect.New(n, s.ratios(n))
	for i, ratio := range s.corrected() {
		if at := s.rounds[i].at; at < n && !math.IsNaN(ratio) {
			p.Observe(at, ratio)
		}
	}
	for at := range s.broken {
		p.Skip(at)
	}
	for at, hash := range s.hashes {
		for other, same := range s.hashes {
			if other < at && hash == same {
				p.Equal(other, at)
			}
		}
	}
	return p
}

func (s *search) spent() bool { return s.c.Budget > 0 && time.Since(s.began) > s.c.Budget }

func (s *search) warn(code, message, cure string) {
	s.warnings = append(s.warnings, unpark.Notice{Code: code, Message: message, Cure: cure})
}

// discard removes what was built.
func (s *search) discard() {
	for _, b := range s.built {
		if err := b.Remove(); err != nil {
			s.say(err.Error())
		}
	}
}
