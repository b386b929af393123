package exectrace

// maxPlaces bounds the places of one request that are told apart.
const maxPlaces = 512

// request is a request under way. Nil is none; adding to it does nothing.
type request struct {
	Request
	active   bool // it did more than read the connection it came by, or close it
	observer bool // profiling itself: no request of the service
}

func (r *request) add(s State, stack int32, d int64) {
	if r == nil {
		return
	}
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
