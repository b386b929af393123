//go:build linux && (amd64 || arm64)

package inspect

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/unpark-go/unpark/internal/measure/inspect/image"
	"github.com/unpark-go/unpark/internal/measure/inspect/layout"
	"github.com/unpark-go/unpark/internal/measure/inspect/memory"
)

// The states of goroutines that are told apart (runtime/runtime2.go).
const (
	idle      = 0
	runnable  = 1
	running   = 2
	syscall   = 3
	waiting   = 4
	dead      = 6
	scanned   = 0x1000 // is added while the collector looks at a stack
	mostState = 10
)

const (
	// mostGoroutines bounds what a list of goroutines may say of its own length.
	mostGoroutines = 1 << 28
	// stackPart is how much of a stack is read at least, from where it stands, and stacksRoom
	// how much of all together: of few goroutines more of each is read.
	stackPart, stackMost = 8 << 10, 256 << 10
	stacksRoom           = 32 << 20
	// belowStack is where, below a stack pointer, the frame pointer of the same function may lie: on arm64 one
	// word (cmd/compile/abi-internal.md, arm64 stack layout), on amd64 never.
	belowStack = 8
	// deepestWalk is how many calls of a goroutine are told.
	deepestWalk = 128
)

// goroutine is one that was read.
type goroutine struct {
	id     uint64
	state  uint32
	reason uint8
	since  int64    // nanotime at which it parked; 0 where the runtime did not note it
	stack  []uint64 // addresses, the innermost first; all but it are return addresses
	start  uint64   // of the function that it began with
	// created is the address behind the go statement that made it; 0 for the first.
	created uint64

	address uint64   // of its g
	frames  []uint64 // where the frame pointer of each call stood; 0 where that is not known
	memory  []byte   // its stack from low on
	low     uint64
	waits   uint64 // address of the semaphore that it waits for; 0 where there is none
}

// census is goroutines of one instant, as a sample of all.
type census struct {
	all   int // that there are places for, dead ones among them
	drawn int
	torn  int // that changed while they were read
	seen  []goroutine
}

// batch reads many pieces of memory at once.
type batch interface {
	memory.Reader
	Many(addrs []uint64, into [][]byte) ([]bool, error)
}

// goroutines reads a random sample of at most n goroutines. Ten or a million cost the same. None is
// stopped: one whose state or number changed meanwhile is dropped and counted.
func goroutines(mem batch, l layout.Layout, v image.Variables, n int, random *rand.Rand) (census, error) {
	length, array, err := list(mem, v)
	if err != nil {
		return census{}, err
	}
	c := census{all: length}
	gs, err := draw(mem, array, length, n, random)
	if err != nil {
		return c, err
	}
	c.drawn = len(gs)
	return c, c.read(mem, l, gs)
}

// list is where the runtime has its goroutines, and how many.
func list(mem batch, v image.Variables) (length int, array uint64, err error) {
	n, err := memory.Uint64(mem, v.AllGLen)
	if err != nil {
		return 0, 0, fmt.Errorf("list of goroutines: %w", err)
	}
	// The array is never freed and only replaced by a longer one, and the length is read first
	// (runtime/proc.go, atomicAllG).
	array, err = memory.Uint64(mem, v.AllG)
	if err != nil {
		return 0, 0, fmt.Errorf("list of goroutines: %w", err)
	}
	if n == 0 || n > mostGoroutines || array%8 != 0 {
		return 0, 0, fmt.Errorf("list of goroutines: %d of them at %#x: %w", n, array, ErrTorn)
	}
	return int(n), array, nil
}

// first reads the first n goroutines of the list.
func first(mem batch, l layout.Layout, v image.Variables, n int) (census, error) {
	length, array, err := list(mem, v)
	if err != nil {
		return census{}, err
	}
	c := census{all: length}
	gs, err := memory.Words(mem, array, min(length, n))
	if err != nil {
		return c, err
	}
	c.drawn = len(gs)
	return c, c.read(mem, l, gs)
}

// draw returns the addresses of goroutines: all, or so many of them at random.
func draw(mem batch, array uint64, length, n int, random *rand.Rand) ([]uint64, error) {
	if length <= n {
		return memory.Words(mem, array, length)
	}
	picked := map[int]bool{}
	for len(picked) < n {
		picked[random.IntN(length)] = true
	}
	var at []uint64
	for i := range picked {
		at = append(at, array+8*uint64(i))
	}
	slices.Sort(at)
	into := pieces(len(at), 8)
	if _, err := mem.Many(at, into); err != nil {
		return nil, fmt.Errorf("list of goroutines: %w", err)
	}
	out := make([]uint64, 0, n)
	for _, b := range into {
		if g := binary.LittleEndian.Uint64(b); g != 0 {
			out = append(out, g)
		}
	}
	return out, nil
}

func pieces(n, size int) [][]byte {
	all := make([]byte, n*size)
	out := make([][]byte, n)
	for i := range out {
		out[i] = all[i*size : (i+1)*size]
	}
	return out
}

// read reads the goroutines, then their stacks, then again whether they are the same.
func (c *census) read(mem batch, l layout.Layout, gs []uint64) error {
	heads := pieces(len(gs), l.GSize)
	read, err := mem.Many(gs, heads)
	if err != nil {
		return fmt.Errorf("goroutines: %w", err)
	}
	part := max(stackPart, min(stackMost, stacksRoom/max(1, len(gs))))
	var at, from []uint64
	var of []int
	var stacks [][]byte
	for i, head := range heads {
		if !read[i] {
			c.torn++
			continue
		}
		state := stateOf(l, head)
		if state == dead || state == idle || state >= mostState {
			continue
		}
		sp, high := standing(l, head, state)
		if state == running || state == runnable && sp == 0 || high <= sp || high-sp > 1<<32 || sp < belowStack {
			sp, high = belowStack, belowStack
		}
		sp -= belowStack
		at, from, of = append(at, gs[i]), append(from, sp), append(of, i)
		stacks = append(stacks, make([]byte, max(8, min(part, int(high-sp)))))
	}
	got, err := mem.Many(from, stacks)
	if err != nil {
		return fmt.Errorf("stacks of goroutines: %w", err)
	}
	again := pieces(len(at), l.GSize)
	still, err := mem.Many(at, again)
	if err != nil {
		return fmt.Errorf("goroutines: %w", err)
	}
	for k, i := range of {
		if !still[k] || !same(l, heads[i], again[k]) {
			c.torn++
			continue
		}
		g := one(l, heads[i])
		g.address = at[k]
		if got[k] && from[k] != 0 {
			g.memory, g.low = stacks[k], from[k]
			g.stack, g.frames = walk(l, heads[i], g.state, from[k], stacks[k])
		}
		c.seen = append(c.seen, g)
	}
	return nil
}

func word(b []byte, at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }

// stateOf is the state without the mark of the collector.
func stateOf(l layout.Layout, g []byte) uint32 {
	return binary.LittleEndian.Uint32(g[l.GStatus:]) &^ scanned
}

func one(l layout.Layout, g []byte) goroutine {
	return goroutine{
		id: word(g, l.GID), state: stateOf(l, g), reason: g[l.GWaitReason], since: int64(word(g, l.GWaitSince)), start: word(g, l.GStart),
		created: word(g, l.GCreatedAt),
	}
}

// same reports whether a goroutine did not move between two readings.
func same(l layout.Layout, a, b []byte) bool {
	for _, at := range []int{l.GID, l.GSP, l.GPC, l.GSyscallSP, l.GWaitSince} {
		if word(a, at) != word(b, at) {
			return false
		}
	}
	return stateOf(l, a) == stateOf(l, b)
}

// standing is where a goroutine that does not run has its stack.
func standing(l layout.Layout, g []byte, state uint32) (sp, high uint64) {
	if state == syscall {
		return word(g, l.GSyscallSP), word(g, l.GStackHigh)
	}
	return word(g, l.GSP), word(g, l.GStackHigh)
}

// walk follows the frame pointers: each frame begins with that of its caller, behind which is
// the address to return to (cmd/compile/abi-internal.md). stack is what lies from sp on. It returns the
// address of each call, and where its frame pointer stood.
func walk(l layout.Layout, g []byte, state uint32, sp uint64, stack []byte) (calls, frames []uint64) {
	pc, bp := word(g, l.GPC), word(g, l.GBP)
	if state == syscall {
		pc, bp = word(g, l.GSyscallPC), 0
		if l.GSyscallBP != layout.Missing {
			bp = word(g, l.GSyscallBP)
		}
	}
	calls, frames = []uint64{pc}, []uint64{bp}
	for len(calls) < deepestWalk && bp >= sp && bp%8 == 0 && bp-sp < uint64(len(stack)) && bp-sp+16 <= uint64(len(stack)) {
		at := int(bp - sp)
		next, ret := word(stack, at), word(stack, at+8)
		if ret == 0 {
			break
		}
		calls, frames = append(calls, ret), append(frames, next)
		if next <= bp {
			break
		}
		bp = next
	}
	return calls, frames
}
