package exectrace

// remembered is how many of its latest states a goroutine's past holds.
const remembered = 32

// span is a stretch of a goroutine's life in one state.
type span struct {
	end, time int64 // ns
	state     State
	stack     int32
	serves    bool  // it was inside a request
	idle      bool  // it waited for work
	behind    *hold // what ended it, for a wait
}

func (s span) start() int64 { return s.end - s.time }

// past is the latest states of a goroutine, a ring once it is full.
type past struct {
	spans []span
	next  int // to be written, once spans is full
}

func (p *past) add(s span) {
	if len(p.spans) < remembered {
		p.spans = append(p.spans, s)
		return
	}
	p.spans[p.next] = s
	p.next = (p.next + 1) % remembered
}

func (p *past) forget() {
	clear(p.spans)
	p.spans, p.next = p.spans[:0], 0
}

// since returns the spans that end after from, the oldest first; the first of them
// may have begun before.
func (p *past) since(from int64) []span {
	n := len(p.spans)
	k := 0
	for k < n && p.at(n-1-k).end > from {
		k++
	}
	if k == 0 {
		return nil
	}
	out := make([]span, k, k+1)
	for i := range out {
		out[i] = *p.at(n - k + i)
	}
	return out
}

// at returns the i-th span, the oldest is the first.
func (p *past) at(i int) *span {
	if len(p.spans) == remembered {
		i = (p.next + i) % remembered
	}
	return &p.spans[i]
}
