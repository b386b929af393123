package exectrace

// maxPlaces bounds the places of one request that are told apart.
const maxPlaces = 512

// request is a request under way. Nil is none; adding to it does nothing.
type request struct {
	Request
	active   bool // it did more than read the connection it came by, or close it
	observer bool // profiling itself: no request of the service
	order    int  // states that are kept in their order
}

func (r *request) add(s State, stack int32, d int64) {
	if r == nil {
		return
	}
	r.follow(s, stack, d)
	for i := len(r.Spent) - 1; i >= 0; i-- {
		if e := &r.Spent[i]; e.State == s && e.Stack == stack {
			e.Time += d
			return
		}
	}
	if len(r.Spent) == maxPlaces {
		s, stack = Unknown, 0
		for i := range r.Spent {
			if r.Spent[i].State == Unknown {
				r.Spent[i].Time += d
				return
			}
		}
	}
	r.Spent = append(r.Spent, Spent{s, stack, d})
}

// follow adds a state behind those before. What is told of it is whole: it ends where the request is now.
func (r *request) follow(s State, stack int32, d int64) {
	if r.order == 0 || d <= 0 {
		return
	}
	n := len(r.Order)
	switch {
	case n > 0 && r.Order[n-1].State == s && r.Order[n-1].Stack == stack:
		r.Order[n-1].Time += d
	case n < r.order:
		r.Order = append(r.Order, Spent{s, stack, d})
	default:
		last := &r.Order[n-1]
		last.State, last.Stack, last.Time = Unknown, 0, last.Time+d
	}
}

func (r *request) blame(edge int32, d int64) {
	if r == nil || d <= 0 {
		return
	}
	for i := len(r.Waits) - 1; i >= 0; i-- {
		if e := &r.Waits[i]; e.Edge == edge {
			e.Time += d
			return
		}
	}
	r.Waits = append(r.Waits, Blame{edge, d})
}

// counts returns 1 for a request of the service, and 0 for what is none.
func (r *request) counts() int64 {
	if r == nil || !r.active || r.observer {
		return 0
	}
	return 1
}
