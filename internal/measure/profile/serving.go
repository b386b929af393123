package profile

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// Serving says how a goroutine with a stack relates to requests.
type Serving uint8

// How goroutines serve.
const (
	ServesNone   Serving = iota
	ServesInTurn         // one request after the other, parking in between
	ServesOne            // it lives for one request
	ServesMany           // it moves the frames of many requests at once
)

// Serving says how the goroutine of a stack (leaf first) does: by the frame nearest
// its start that is known to serve, unless one of them moves the frames of many. A
// goroutine that is known to read connections by itself (With) serves in turn.
func (c *Catalogue) Serving(stack []unpark.Site) Serving {
	found := ServesNone
	for _, s := range stack {
		switch f := c.fact(s.Function); {
		case f.Is(roles.ServesMany):
			return ServesMany
		case f.Is(roles.ServesOne):
			found = ServesOne
		case f.Is(roles.ServesInTurn):
			found = ServesInTurn
		}
	}
	if found != ServesNone {
		return found
	}
	for _, s := range stack {
		if c.conns[s.Function] {
			return ServesInTurn
		}
	}
	return ServesNone
}
