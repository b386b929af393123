package exectrace

import "iter"

const (
	// maxHolders bounds the holders that one wait is shared among. What is left of
	// a longer queue is charged to the place that the last of them released at, and
	// taken to be spent like the part that was walked.
	maxHolders = 128
	// maxLevel bounds chains: a wait for one that waits for one that waits …
	maxLevel = 8
)

// hold is the time in which one goroutine held up another: until it released it,
// and since it was itself let in at the same place, if it had to wait for that. Of one
// that was idle it is all of the time until it got work.
type hold struct {
	start, end int64
	stack      int32  // that released
	spans      []span // what it did, as far as another waited
	before     *hold  // that ended at start
	depth      int    // of before
	level      int    // of the chains in spans
	handed     bool   // start is when another let it in
	again      bool   // one of several releases in a row
}

// look notes what the holder did from an instant on, or since its hold began.
func (h *hold) look(by *goroutine, from int64) {
	h.spans = by.did(max(from, h.start), h.end)
	for i := range h.spans {
		b := h.spans[i].behind
		if b == nil {
			continue
		}
		if b.level >= maxLevel {
			h.spans[i].behind = nil
			continue
		}
		h.level = max(h.level, b.level+1)
	}
}

// behind links a hold to the one before. Chains are cut at twice the length that is
// ever walked.
func (h *hold) behind(b *hold) {
	h.before, h.depth = b, b.depth+1
	if h.depth < 2*maxHolders {
		return
	}
	last := h
	for range maxHolders + 1 {
		last = last.before
		if last == nil {
			break
		}
	}
	if last != nil {
		last.before = nil
	}
	h.depth = maxHolders
}

// part is a part of a wait, with the hold that it is charged to.
type part struct {
	start, end int64
	by         *hold
	source     source
}

func (p part) time() int64 { return p.end - p.start }

// source says where it comes from that a part of a wait is charged to a hold.
type source uint8

const (
	recorded    source = iota // it held then
	notRecorded               // the trace does not say which goroutine held then; it is the next one that did
	notFollowed               // the trace does say, and the queue is too long to be followed
)

// parts returns what a wait between two instants went through: the holds that it was
// behind, the latest first, and what is left.
func (h *hold) parts(begin, end int64) iter.Seq[part] {
	return func(yield func(part) bool) {
		h, end := h, end
		for n := 0; ; n++ {
			start := max(h.start, begin)
			if start < end && !yield(part{start, end, h, recorded}) {
				return
			}
			switch {
			case start <= begin:
				return
			case h.before == nil:
				yield(part{begin, start, h, notRecorded})
				return
			case n == maxHolders:
				yield(part{begin, start, h, notFollowed})
				return
			}
			end, h = start, h.before
		}
	}
}
