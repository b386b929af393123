package target

import (
	"io"
	"os"
	"strings"
	"sync"
)

// output keeps the end of what the target prints and copies all of it on.
type output struct {
	mu   sync.Mutex
	kept []byte
	copy io.Writer // nil once it failed: a full disk must not stop the target

	pipe *os.File
	done chan struct{} // closed when no process holds the other end any more
}

// keep bounds what is remembered; the panic of a service with thousands of
// goroutines is longer, and its first lines matter most: see excerpt.
const keep = 64 << 10

// newOutput returns the end of a pipe that the command writes to. The pipe is
// our own, not os/exec's: Wait would not return while a descendant holds that.
func newOutput(dst io.Writer) (*output, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	if dst != nil {
		dst = &cleaner{to: dst}
	}
	o := &output{copy: dst, pipe: r, done: make(chan struct{})}
	go func() {
		defer close(o.done)
		_, _ = io.Copy(o, r) // ends with the pipe; Write never fails
	}()
	return o, w, nil
}

// Write takes what the target printed.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	o.kept = shorten(append(o.kept, p...))
	dst := o.copy
	o.mu.Unlock()
	if dst != nil {
		if _, err := dst.Write(p); err != nil {
			o.mu.Lock()
			o.copy = nil
			o.mu.Unlock()
		}
	}
	return len(p), nil
}

// shorten forgets the oldest bytes, but not the beginning of a panic.
func shorten(b []byte) []byte {
	if len(b) <= 2*keep {
		return b
	}
	from := len(b) - keep
	if i := panicAt(string(b[:from])); i >= 0 {
		head := b[i:min(from, i+keep/2)]
		return append(append([]byte(nil), head...), b[from:]...)
	}
	return append([]byte(nil), b[from:]...)
}

// lines is how many lines of output an error shows.
const lines = 15

// excerpt returns the lines that tell most about an end: the last ones, or the
// first of the last panic.
func (o *output) excerpt() string {
	o.mu.Lock()
	text := strings.ToValidUTF8(clean(o.kept), "�")
	o.mu.Unlock()
	text = strings.TrimRight(text, "\n\r\t ")
	if i := panicAt(text); i >= 0 {
		all := strings.Split(text[i:], "\n")
		return cut(all[:min(lines, len(all))])
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
func (o *output) close() {
	o.pipe.Close()
	<-o.done
}
