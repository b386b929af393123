package profile

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// stack is a stack, leaf first, with what the catalogue knows of each frame.
type stack struct {
	c     *Catalogue
	sites []unpark.Site
	facts []*fact
	own   int // frames before it are the server's own connection, of whichever module
}

// read returns a stack with what is known of it, in buf if that has room.
func (c *Catalogue) read(sites []unpark.Site, buf []*fact) stack {
	for _, s := range sites {
		buf = append(buf, c.fact(s.Function))
	}
	return stack{c: c, sites: sites, facts: buf}
}

func (s stack) rank(i int) rank {
	if i < s.own {
		return rankNone
	}
	return s.c.rank(s.sites[i], s.facts[i])
}

// ownConnection is how many frames at the leaf are a wait for the client at the server's own
// connection. Where the program's listener gives connections of its own (that count bytes,
// say), their methods lie between the server and the net.
func (s stack) ownConnection() int {
	own := slices.IndexFunc(s.facts, func(f *fact) bool { return f.Is(roles.OwnConn) })
	if own < 0 || !slices.ContainsFunc(s.facts[:own], func(f *fact) bool { return f.Is(roles.ConnRead) || f.Is(roles.Write) }) {
		return 0
	}
	return own
}

// some reports whether something holds of a frame.
func (s stack) some(is func(*fact) bool) bool { return slices.ContainsFunc(s.facts, is) }

// serves reports whether a frame serves requests.
func (s stack) serves() bool { return s.some(func(f *fact) bool { return f.request }) }

func (s stack) onlyRuntime() bool { return !s.some(func(f *fact) bool { return !f.runtime }) }

// app returns the indexes of the innermost and of the outermost application frame;
// −1 when there is none.
func (s stack) app() (inner, outer int) {
	best := rankThirdParty
	inner, outer = -1, -1
	for i := range s.sites {
		switch r := s.rank(i); {
		case r < best:
		case r > best, inner < 0:
			best, inner, outer = r, i, i
		default:
			outer = i
		}
	}
	return inner, outer
}

// AppFrames returns the indexes of a stack's application frames, leaf first: those
// of the main module, or of other modules when there is none of it.
func (c *Catalogue) AppFrames(sites []unpark.Site) []int {
	s := c.read(sites, nil)
	inner, outer := s.app()
	if inner < 0 {
		return nil
	}
	var out []int
	for i := inner; i <= outer; i++ {
		if s.rank(i) == s.rank(inner) {
			out = append(out, i)
		}
	}
	return out
}

// caller returns the index of the first frame that is not Go's own machinery; −1
// when there is none.
func (s stack) caller() int {
	for i, f := range s.facts {
		if f.low || f.Is(roles.Deferred) || s.sites[i].Function == "" || f.Is(roles.PassesOn) && i+1 < len(s.facts) {
			continue
		}
		return i
	}
	return -1
}

// OnSocket reports whether a system call with this stack (leaf first) is made on a
// socket.
func (c *Catalogue) OnSocket(sites []unpark.Site) bool {
	s := c.read(sites, nil)
	return s.onSocket(slices.IndexFunc(s.facts, func(f *fact) bool { return !f.low }))
}

// onSocket looks at the frames from the caller of Go's own entry to the call on:
// package net, or a function that was handed a socket's descriptor, as grpc's reader
// is.
func (s stack) onSocket(caller int) bool {
	if caller < 0 || caller >= len(s.facts) {
		return false
	}
	return s.facts[caller].Is(roles.Socket) || slices.ContainsFunc(s.facts[caller:], func(f *fact) bool { return f.Is(roles.RawSocket) })
}
