//go:build linux && (amd64 || arm64)

package inspect

import (
	"slices"

	"github.com/unpark-go/unpark/internal/measure/inspect/pclntab"
)

// mostPointers is how many pointers of a call are told, as many as a dump tells of arguments.
const mostPointers = 10

// reader of calls, which knows what it has looked up before: of many goroutines most stand at few
// places.
type reader struct {
	functions *pclntab.Table
	arch      string
	frames    map[uint64][]pclntab.Frame
	live      map[uint64]pclntab.Live
}

func (p *Process) reader() *reader {
	return &reader{functions: p.Image.Functions, arch: p.Image.Arch, frames: map[uint64][]pclntab.Frame{}, live: map[uint64]pclntab.Live{}}
}

// calls are the functions at an address to return to, the innermost first.
func (r *reader) calls(ret uint64) []pclntab.Frame {
	if _, ok := r.frames[ret]; !ok {
		r.frames[ret] = r.functions.Frames(ret - 1)
	}
	return r.frames[ret]
}

// pointers returns the pointers that the i-th call of a goroutine still needs: what a dump tells as
// its arguments, and its variables. While the goroutine is parked they stay as they are.
func (r *reader) pointers(g goroutine, i int) []uint64 {
	ret := g.stack[i]
	if _, ok := r.live[ret]; !ok {
		r.live[ret] = r.functions.Live(ret - 1)
	}
	end := r.end(g, i)
	if end == 0 {
		return nil
	}
	live := r.live[ret]
	var out []uint64
	for _, k := range live.Args {
		// Behind the frame pointer and the address to return to.
		out = append(out, g.at(end+16+8*uint64(k)))
	}
	for _, k := range live.Locals {
		out = append(out, g.at(end-8*uint64(k)))
	}
	return slices.Clip(out[:min(len(out), mostPointers)])
}

// end is where the locals of a call end (runtime/traceback.go, varp): on amd64 its frame
// pointer points there; on arm64, where that lies below a frame, its caller's does.
func (r *reader) end(g goroutine, i int) uint64 {
	if r.arch == "arm64" {
		i++
	}
	if i >= len(g.frames) {
		return 0
	}
	return g.frames[i]
}

// at is a word of the stack; 0 where it was not read.
func (g goroutine) at(address uint64) uint64 {
	if i := address - g.low; address >= g.low && i+8 <= uint64(len(g.memory)) {
		return word(g.memory, int(i))
	}
	return 0
}
