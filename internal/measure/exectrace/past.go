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

// past is the latest states of a goroutine, a ring once it is full, and what came before
// them since it last got work: one that goes through hundreds of short states, by calls of
// C or of the kernel, was busy all the same.
type past struct {
	spans []span
	next  int // to be written, once spans is full
	older older
}

func (p *past) add(s span) {
	if len(p.spans) < remembered {
		p.spans = append(p.spans, s)
		return
	}
	p.older.add(p.spans[p.next])
	p.spans[p.next] = s
	p.next = (p.next + 1) % remembered
}

func (p *past) forget() {
	clear(p.spans)
	p.spans, p.next = p.spans[:0], 0
	p.older.spans = p.older.spans[:0]
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
	var out []span
	if k == n && p.at(0).start() > from {
		out = p.older.since(from, k+1)
	}
	if out == nil {
		out = make([]span, 0, k+1)
	}
	for i := n - k; i < n; i++ {
		out = append(out, *p.at(i))
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

// sorts is how many sorts of states are told apart of those that are summed: a loop goes
// through few, again and again.
const sorts = 16

// older is what is no longer remembered one by one: how long a goroutine was in each sort
// of state. Which came first is lost, and so is what ended its waits.
type older struct {
	spans      []span
	start, end int64
}

func (o *older) add(s span) {
	if s.idle {
		o.spans = o.spans[:0] // what it did before it got work was for another
		return
	}
	if len(o.spans) == 0 {
		o.start = s.start()
	}
	o.end = s.end
	for i := range o.spans {
		if to := &o.spans[i]; to.state == s.state && to.stack == s.stack && to.serves == s.serves {
			to.time += s.time
			return
		}
	}
	if len(o.spans) == sorts {
		last := &o.spans[sorts-1]
		last.state, last.stack, last.time = Unknown, 0, last.time+s.time
		return
	}
	s.behind = nil
	o.spans = append(o.spans, s)
}

// since returns the part of it after from, in the shares of the whole, with room for more;
// nil where there is none.
func (o *older) since(from int64, more int) []span {
	if len(o.spans) == 0 || o.end <= from {
		return nil
	}
	var sum int64
	for i := range o.spans {
		sum += o.spans[i].time
	}
	at := max(from, o.start)
	scale := float64(o.end-at) / float64(sum)
	out := make([]span, 0, len(o.spans)+more)
	for i, s := range o.spans {
		s.time = int64(float64(s.time) * scale)
		if i == len(o.spans)-1 {
			s.time = o.end - at // what rounding left
		}
		at += s.time
		s.end = at
		out = append(out, s)
	}
	return out
}
