package exectrace

import (
	"encoding/binary"

	"golang.org/x/exp/trace"

	"github.com/unpark-go/unpark"
)

// maxDepth bounds a stack: the runtime records 128 frames.
const maxDepth = 128

// stacks gives every distinct stack a number. A trace numbers its stacks anew in
// each generation, so what tells them apart is their program counters, and the
// event that they were recorded at.
type stacks struct {
	meaning func(Event, []unpark.Site) Meaning
	handles map[handle]int32 // of the current generation
	byPCs   map[string]int32
	known   []stackInfo // by number; the first is no stack
	key     []byte
}

type handle struct {
	stack trace.Stack
	at    Event
}

// stackInfo is a stack with what it means.
type stackInfo struct {
	sites []unpark.Site
	mean  Meaning
	state State  // of a wait with this stack
	place uint64 // program counter of the caller of Lock, Unlock, Wait, send
}

func newStacks(meaning func(Event, []unpark.Site) Meaning) *stacks {
	return &stacks{
		meaning: meaning,
		handles: map[handle]int32{},
		byPCs:   map[string]int32{},
		known:   []stackInfo{{mean: Meaning{Class: unpark.WaitUnknown, Caller: -1}}},
	}
}

// generation forgets the handles of the generation before.
func (s *stacks) generation() { clear(s.handles) }

// number returns the number of a stack that was recorded at an event.
func (s *stacks) number(h trace.Stack, at Event) int32 {
	if h == trace.NoStack {
		return 0
	}
	if n, ok := s.handles[handle{h, at}]; ok {
		return n
	}
	s.key = append(s.key[:0], byte(at))
	depth := 0
	for f := range h.Frames() {
		s.key = binary.LittleEndian.AppendUint64(s.key, f.PC)
		if depth++; depth == maxDepth {
			break
		}
	}
	n, ok := s.byPCs[string(s.key)]
	if !ok {
		n = s.add(h, at)
		s.byPCs[string(s.key)] = n
	}
	s.handles[handle{h, at}] = n
	return n
}

func (s *stacks) add(h trace.Stack, at Event) int32 {
	var info stackInfo
	var pcs []uint64
	for f := range h.Frames() {
		info.sites = append(info.sites, unpark.Site{Function: f.Func, File: f.File, Line: int(f.Line)})
		if pcs = append(pcs, f.PC); len(pcs) == maxDepth {
			break
		}
	}
	if len(pcs) == 0 {
		return 0
	}
	info.mean = s.meaning(at, info.sites)
	info.state = at.state(info.mean.Class)
	if c := info.mean.Caller; c >= 0 && c < len(pcs) {
		info.place = pcs[c]
	} else {
		info.place = pcs[0]
	}
	s.known = append(s.known, info)
	return int32(len(s.known) - 1)
}

func (s *stacks) info(n int32) *stackInfo { return &s.known[n] }

// sites returns all stacks by number.
func (s *stacks) sites() [][]unpark.Site {
	out := make([][]unpark.Site, len(s.known))
	for i := range s.known {
		out[i] = s.known[i].sites
	}
	return out
}
