package proc

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
)

// Output keeps what a command prints on a stream, or on both, within bounds. Make it
// with NewOutput.
type Output struct {
	keep  Keep
	limit int
	drop  []byte // nil: nothing

	mu   sync.Mutex
	kept []byte
	over bool      // there was more than limit
	copy io.Writer // nil once it failed: a full disk must not stop the command

	pipe *os.File
	done chan struct{} // closed when no process holds the other end any more
}

// Keep says which part of a long output is kept.
type Keep int

// What can be kept.
const (
	Tail        Keep = iota // the last bytes: the limit or more, at most double
	TailOrPanic             // and the beginning of the last panic, half of the limit, which the excerpt then is
	Whole                   // all of it; nothing when there was more than the limit
)

// NewOutput returns an output for Start that keeps so many bytes. dst, which may be
// nil, gets all that is printed, without what a terminal would obey; its writes must not
// block for long.
func NewOutput(keep Keep, limit int, dst io.Writer) *Output {
	if dst != nil {
		dst = &cleaner{to: dst}
	}
	return &Output{keep: keep, limit: limit, copy: dst}
}

// Without leaves out a line, wherever it is printed at once. It returns o.
func (o *Output) Without(line string) *Output {
	o.drop = []byte(line)
	return o
}

// open returns the end of a pipe that the command writes to. The pipe is our own, not
// os/exec's: Wait would not return while a descendant holds that.
func (o *Output) open() (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	o.pipe, o.done = r, make(chan struct{})
	go func() {
		defer close(o.done)
		_, _ = io.Copy(o, r) // ends with the pipe; Write never fails
	}()
	return w, nil
}

var _ io.Writer = (*Output)(nil)

// Write takes what the command printed. It never fails: a command that prints too much
// must not be stopped by it.
func (o *Output) Write(p []byte) (int, error) {
	n := len(p)
	if len(o.drop) > 0 && bytes.Contains(p, o.drop) {
		p = bytes.ReplaceAll(p, o.drop, nil)
	}
	o.mu.Lock()
	o.add(p)
	dst := o.copy
	o.mu.Unlock()
	if dst != nil {
		if _, err := dst.Write(p); err != nil {
			o.mu.Lock()
			o.copy = nil
			o.mu.Unlock()
		}
	}
	return n, nil
}

// add keeps p, and forgets what is too much.
func (o *Output) add(p []byte) {
	if o.keep == Whole {
		if o.over || len(o.kept)+len(p) > o.limit {
			o.over, o.kept = true, nil
			return
		}
		o.kept = append(o.kept, p...)
		return
	}
	o.kept = append(o.kept, p...)
	if len(o.kept) <= 2*o.limit {
		return
	}
	o.over = true
	from := len(o.kept) - o.limit
	var head []byte
	if o.keep == TailOrPanic {
		if i := panicAt(string(o.kept[:from])); i >= 0 {
			head = o.kept[i:min(from, i+o.limit/2)]
		}
	}
	o.kept = append(append([]byte(nil), head...), o.kept[from:]...)
}

// Kept returns what was kept, and whether there was more. Nothing may be printed any
// more: call it after Close.
func (o *Output) Kept() (text []byte, more bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.kept, o.over
}

// shown is how much of what was kept an excerpt is made of: all that TailOrPanic keeps
// with 64 kB.
const shown = 256 << 10

// Excerpt returns so many of the lines that tell most about an end, as they may be shown
// on a terminal, each at most 200 bytes: the last ones, or the first of the last panic. It
// is empty when nothing was printed.
func (o *Output) Excerpt(lines int) string {
	o.mu.Lock()
	text := clean(o.kept[max(0, len(o.kept)-shown):])
	o.mu.Unlock()
	text = strings.TrimRight(strings.ToValidUTF8(text, "�"), "\n\r\t ")
	if o.keep == TailOrPanic {
		if i := panicAt(text); i >= 0 {
			all := strings.Split(text[i:], "\n")
			return cut(all[:min(lines, len(all))])
		}
	}
	all := strings.Split(text, "\n")
	return cut(all[max(0, len(all)-lines):])
}

// panicAt finds the last line with which the Go runtime announces the end.
func panicAt(text string) int {
	at := -1
	for _, start := range []string{"panic: ", "fatal error: "} {
		if strings.HasPrefix(text, start) {
			at = max(at, 0)
		}
		if i := strings.LastIndex(text, "\n"+start); i >= 0 {
			at = max(at, i+1)
		}
	}
	return at
}

// cut joins lines, each at most 200 bytes.
func cut(all []string) string {
	for i, l := range all {
		if len(l) > 200 {
			all[i] = strings.ToValidUTF8(l[:200], "") + "…"
		}
	}
	return strings.Join(all, "\n")
}

// close stops reading, also when a process that was not found holds the pipe.
func (o *Output) close() {
	o.pipe.Close()
	<-o.done
}
