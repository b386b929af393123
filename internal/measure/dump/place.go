package dump

import (
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/roles"
)

// place is where goroutines stand: one stack, wait reason and go statement.
type place struct {
	state   string
	stack   []unpark.Site // leaf first, as the dump has it
	created unpark.Site
	label   profile.Label
	site    unpark.Site       // what a reader wants to see
	idle    bool              // known parking, by the catalogue or by the user
	words   []int             // arguments of each frame
	blocks  []roles.Primitive // what the calls at the leaf that block wait on; "" where another of them tells
	skip    int               // arguments of these calls
	named   bool              // by the user, as idle
	proof   string            // why nothing can ever wake it; empty when something can
	request bool              // a request is served below: its client waits

	counts []int // goroutines in each dump
	came   int   // goroutines that were new to it, after the first dump
	went   int   // goroutines that left it
	// settledWent is how many of those had been seen here more than once.
	settledWent int
	leaked      int // goroutines that the goroutineleak profile has here
}

// places interns places of one process.
type places struct {
	catalogue *profile.Catalogue
	idle      []string // patterns of functions below which a wait is parking
	byKey     map[string]*place
	all       []*place
	key       []byte
}

func newPlaces(c *profile.Catalogue, idle []string) *places {
	return &places{catalogue: c, idle: idle, byKey: make(map[string]*place)}
}

// of returns the place of a goroutine.
func (p *places) of(g *goroutine) *place {
	k := append(p.key[:0], g.state...)
	for _, f := range g.frames {
		k = appendSite(k, f.site)
	}
	if g.elided {
		k = append(k, '\n')
	}
	k = appendSite(append(k, 0), g.created)
	p.key = k
	if found, ok := p.byKey[string(k)]; ok {
		return found
	}
	made := p.make(g)
	p.byKey[string(k)] = made
	p.all = append(p.all, made)
	return made
}

func appendSite(k []byte, s unpark.Site) []byte {
	k = append(k, 0)
	k = append(k, s.Function...)
	k = append(k, 0)
	k = append(k, s.File...)
	return strconv.AppendInt(append(k, ':'), int64(s.Line), 10)
}

func (p *places) make(g *goroutine) *place {
	made := &place{state: g.state, created: g.created}
	for _, f := range g.frames {
		made.stack, made.words = append(made.stack, f.site), append(made.words, len(f.args))
	}
	for i, s := range made.stack {
		f := roles.Of(s.Function)
		if !f.Blocks {
			break
		}
		made.blocks = append(made.blocks, f.On)
		made.skip += made.words[i]
	}
	full := slices.Clone(made.stack)
	hidden := 0
	// A dump leaves out the functions of the runtime, by which the catalogue classifies.
	if leaf := roles.Parker(g.state); leaf != "" && p.catalogue.Is(leaf, roles.Runtime) {
		full, hidden = slices.Insert(full, 0, unpark.Site{Function: leaf}), 1
	}
	if g.created.IsZero() {
		full = append(full, unpark.Site{Function: roles.Main})
	}
	made.label = p.catalogue.Label(unpark.KindGoroutine, full)
	made.site = siteOf(full, made.label, hidden)
	switch {
	case g.created.IsZero(): // a main goroutine may block forever on purpose
	case strings.HasSuffix(g.state, "(nil chan)"):
		made.proof = "the channel is nil: nothing can ever wake it"
	}
	serving := p.catalogue.Serving(made.stack)
	made.request = !made.label.Idle && (serving == profile.ServesInTurn || serving == profile.ServesOne)
	made.named = p.isNamed(made.stack)
	made.idle = made.label.Idle && made.proof == "" || made.named
	return made
}

// siteOf picks the innermost application frame, else the caller of the wait.
func siteOf(full []unpark.Site, l profile.Label, hidden int) unpark.Site {
	switch {
	case l.App >= 0:
		return full[l.App]
	case l.Caller >= 0:
		return full[l.Caller]
	case len(full) > hidden:
		return full[hidden]
	case len(full) > 0:
		return full[0]
	}
	return unpark.Site{}
}

// isNamed reports whether the user called a frame's waits idle.
func (p *places) isNamed(stack []unpark.Site) bool {
	for _, pattern := range p.idle {
		prefix, wild := strings.CutSuffix(pattern, "*")
		for _, s := range stack {
			if s.Function == pattern || wild && strings.HasPrefix(s.Function, prefix) {
				return true
			}
		}
	}
	return false
}

// main reports whether it is the main goroutine that is here: it may block forever
// on purpose, which the runtime's leak detection takes for a leak.
func (p *place) main() bool { return p.created.IsZero() }

// observer reports whether the goroutine is there because of the watch.
func (p *place) observer() bool { return p.label.Side == unpark.ObserverSide }

// bystander reports whether a goroutine that idles here holds no lock, as far as one
// can tell. One that sleeps, or reads from a connection by itself, may well do it
// with a lock in its hand.
func (p *place) bystander() bool {
	switch {
	case !p.idle:
		return false
	case p.label.Class == unpark.WaitSleep:
		return p.label.App < 0
	case p.label.Class == unpark.WaitNetwork:
		return p.label.App < 0 || roles.On(p.stack, roles.Accept)
	}
	return true
}

// runs reports whether goroutines here do not wait, as far as a dump can tell.
func (p *place) runs() bool {
	switch p.state {
	case "running", "runnable", "preempted", "copystack", "idle", "waiting", "":
		return true
	}
	return false
}

// inside reports whether what would end the wait is in the process itself.
func (p *place) inside() bool {
	switch p.label.Class {
	case unpark.WaitLock, unpark.WaitChannel, unpark.WaitSelect, unpark.WaitCond, unpark.WaitGroup, unpark.WaitPool:
		return true
	}
	return false
}

// given reports whether the wait is one to be given something, which idle workers
// do as well. A wait for a group is counted too: whoever closes a channel after
// its workers does that for as long as they work.
func (p *place) given() bool {
	switch p.label.Class {
	case unpark.WaitPool:
		return false
	case unpark.WaitGroup, unpark.WaitCond, unpark.WaitSelect:
		return true
	}
	return p.state == "chan receive" || p.state == "select (no cases)"
}

// collects reports whether goroutines that wait here can be forgotten: what waits
// for a peer or a timer is let go by it.
func (p *place) collects() bool {
	return p.inside() || p.state == "coroutine"
}
