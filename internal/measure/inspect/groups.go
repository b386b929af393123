//go:build linux && (amd64 || arm64)

package inspect

import "encoding/binary"

// group is goroutines that stand at the same place.
type group struct {
	stack []uint64
	n     int
}

// grouped merges goroutines with equal stacks, in the order in which they were first seen. One
// that runs has no stack in memory, only the function that it began with.
func (c census) grouped() []*group {
	var out []*group
	at := map[string]*group{}
	var key []byte
	for _, g := range c.seen {
		stack := g.stack
		if len(stack) == 0 {
			stack = []uint64{g.start + 1}
		}
		key = key[:0]
		for _, call := range stack {
			key = binary.LittleEndian.AppendUint64(key, call)
		}
		one := at[string(key)]
		if one == nil {
			one = &group{stack: stack}
			at[string(key)] = one
			out = append(out, one)
		}
		one.n++
	}
	return out
}
