package model

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// itself says which waits for the other end of a connection are waits for the target itself.
// Where all its connections lead to itself, all are. Where others lead elsewhere, a profile does not
// have the address of a wait; but a client talks to a server that speaks as it does: a wait is for
// the target itself when it is in the client of a library whose server accepts connections in the
// same process, and the request that waits came in by another library's: a gateway asks the server
// behind it, which then asks others. Where both ways look like that, the longer wait has the other in it.
type itself struct {
	all    bool
	served map[string]bool // libraries whose servers accept connections in the target
	delay  map[way]float64 // s
}

// way is the library by which a request came in, and that of the client which it waits in.
type way struct{ entry, client string }

// listens are the packages of Go that accept connections for others.
var listens = map[string]bool{"internal/poll": true, "net": true, "crypto/tls": true}

func itselfOf(ev facts.Evidence) itself {
	out := itself{all: ev.Window.AsksItself()}
	own := slices.ContainsFunc(ev.Window.Peers, func(p unpark.Peer) bool { return p.Self && ev.Window.Profiled(p.PID) })
	if out.all || !own {
		return out
	}
	out.served, out.delay = map[string]bool{}, map[way]float64{}
	for _, w := range ev.Waits {
		if is, ok := wayOf(w); ok && w.Side == unpark.RequestPath && !w.Idle {
			out.delay[is] += w.Delay
		}
	}
	for _, g := range ev.Goroutines {
		at := slices.IndexFunc(g.Stack, func(s unpark.Site) bool { return roles.Is(s.Function, roles.Accept) })
		if at < 0 {
			continue
		}
		if by := slices.IndexFunc(g.Stack[at:], func(s unpark.Site) bool { return !listens[unpark.PackageOf(s.Function)] }); by >= 0 {
			out.served[library(g.Stack[at+by])] = true
		}
	}
	return out
}

// Asks reports whether a wait for the other end of a connection is one for the target itself: what is
// there waits and computes in the same profiles.
func (i itself) Asks(w facts.Wait) bool {
	if i.all {
		return w.Class == unpark.WaitDownstream
	}
	is, ok := wayOf(w)
	return ok && i.served[is.client] && is.entry != is.client && i.delay[is] >= i.delay[way{is.client, is.entry}]
}

// wayOf is the way of a wait for the other end of a connection.
func wayOf(w facts.Wait) (way, bool) {
	if w.Class != unpark.WaitDownstream || len(w.Stack) == 0 {
		return way{}, false
	}
	at := slices.IndexFunc(w.Stack, func(s unpark.Site) bool { return roles.Of(s.Function).WaitBelow == unpark.WaitDownstream })
	if at < 0 {
		return way{}, false
	}
	return way{library(w.Stack[len(w.Stack)-1]), library(w.Stack[at])}, true
}

// library is what a function belongs to: its module, or of Go's own the package.
func library(s unpark.Site) string {
	if module, _, _, ok := s.Module(); ok {
		return module
	}
	return unpark.PackageOf(s.Function)
}
