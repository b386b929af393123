package advice

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/unpark-go/unpark/internal/roles"
)

// Case is a cost that advice is sought for.
type Case struct {
	Class string // of the finding
	// Stack is the functions that the cost runs through, leaf first, and Culprit the index of
	// the one that owns it.
	Stack   []string
	Culprit int
	// Site is the index of the user's function on the way to it: servers and middlewares that call that are on the
	// stack of whatever it does, and what is said of them is of something else. 0 where there is none.
	Site int
	// Calls asks for what is said of a call that need not be made, by its whole name, of other classes as well: of the culprit, and of
	// what the user's function calls. What is made once is as little to be waited for as to be computed, and of waits it is chance
	// which they are told as.
	Calls   bool
	Go      string            // version of the service's toolchain, "go1.24.3"; empty when unknown
	Modules map[string]string // versions of modules, "github.com/x/y": "v1.2.3"
}

// For returns what applies to a case, the most specific first: what is about the culprit
// itself before what is about a function that called it, and whole names before patterns.
// Advice about the runtime, which is on many stacks, comes last. What is equally near stands in the order of All.
func For(c Case) []Advice {
	type hit struct {
		Advice
		far int
	}
	var hits []hit
	for _, a := range catalogue() {
		if !slices.Contains(a.Classes, c.Class) && !(c.Calls && a.needless(c)) || !c.old(a.Before) || len(a.Under) > 0 && !slices.ContainsFunc(c.Stack, a.under) || slices.ContainsFunc(c.Stack, a.spared) {
			continue
		}
		if far, ok := a.distance(c); ok {
			hits = append(hits, hit{a.Advice, far})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.far, b.far) })
	out := make([]Advice, len(hits))
	for i, h := range hits {
		out[i] = h.Advice
	}
	return out
}

// entry is advice with its names as symbols are compared.
type entry struct {
	Advice
	culprits, unders, unless []string
}

var catalogue = sync.OnceValue(func() []entry {
	var out []entry
	for _, a := range All() {
		if !modules && !a.ofGo() {
			continue
		}
		e := entry{Advice: a}
		for _, f := range a.Culprits {
			e.culprits = append(e.culprits, roles.Symbol(f))
		}
		for _, f := range a.Under {
			e.unders = append(e.unders, roles.Symbol(f))
		}
		for _, f := range a.Unless {
			e.unless = append(e.unless, roles.Symbol(f))
		}
		out = append(out, e)
	}
	return out
})

func (e entry) under(function string) bool {
	return slices.ContainsFunc(e.unders, func(p string) bool { return fits(p, roles.Symbol(function)) })
}

func (e entry) spared(function string) bool {
	return slices.ContainsFunc(e.unless, func(p string) bool { return fits(p, roles.Symbol(function)) })
}

// fits reports whether a symbol is a name, or begins with one that ends in a star.
func fits(pattern, symbol string) bool {
	if p, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(symbol, p)
	}
	return pattern == symbol
}

// How far advice may be from the culprit, in frames.
const (
	ofPattern = 1   // a pattern is less specific than a name
	ofRuntime = 100 // the runtime is on many stacks
	ofGo      = 30  // what Go has for all is less specific than a library between it and the user's function
)

// distance says how far from the culprit a case meets an entry: below it, which is how it
// does its work, counts as above.
func (e entry) distance(c Case) (int, bool) {
	best, found := 0, false
	for i, function := range c.Stack {
		if i > max(c.Site, c.Culprit) && c.Site > 0 {
			break
		}
		symbol := roles.Symbol(function)
		for _, p := range e.culprits {
			if !fits(p, symbol) {
				continue
			}
			far := 2 * max(i-c.Culprit, c.Culprit-i)
			if strings.HasSuffix(p, "*") {
				far += ofPattern
			}
			switch {
			case i == c.Culprit:
			case roles.Is(function, roles.Runtime):
				far += ofRuntime
			case roles.Is(function, roles.Standard):
				far += ofGo
			}
			if !found || far < best {
				best, found = far, true
			}
		}
	}
	return best, found
}

// needless reports whether an entry says of the very call that a service makes, or of the culprit, that it need not be made.
func (e entry) needless(c Case) bool {
	is := func(i int) bool { // of Go's own it is said of the class
		return i >= 0 && i < len(c.Stack) && !roles.Is(c.Stack[i], roles.Standard) && slices.Contains(e.culprits, roles.Symbol(c.Stack[i]))
	}
	waits := []string{"downstream", "channel", "pool", "ratelimit"}
	near := slices.Contains(waits, c.Class) && slices.ContainsFunc(e.Classes, func(of string) bool { return slices.Contains(waits, of) })
	return e.Remedy.Needless() && (near || slices.Contains(e.Classes, "setup")) && (is(c.Culprit) || c.Site > 0 && is(c.Site-1))
}

// old reports whether what runs is older than a version: "1.25" of Go, or a module with
// its version. What is not known may be.
func (c Case) old(before string) bool {
	if before == "" {
		return true
	}
	module, version, isModule := strings.Cut(before, " ")
	have := strings.TrimPrefix(c.Go, "go")
	if isModule {
		have = c.Modules[module]
	} else {
		version = before
	}
	return have == "" || compare(have, version) < 0
}

// compare orders versions by their numbers.
func compare(a, b string) int {
	numbers := func(v string) []int {
		var out []int
		v, _, _ = strings.Cut(strings.TrimPrefix(v, "v"), "-")
		for part := range strings.SplitSeq(v, ".") {
			n, _ := strconv.Atoi(strings.TrimRight(part, "abcdefghijklmnopqrstuvwxyz+ ")) // what is no number is 0
			out = append(out, n)
		}
		return out
	}
	return slices.Compare(numbers(a), numbers(b))
}
