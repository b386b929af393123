package external

import (
	"io"
	"os"
	"strings"
	"sync"
)

// capture keeps what one stream of a command printed: the whole of it up to a
// limit, or its end.
type capture struct {
	limit int
	tail  bool // keep the end and not the beginning

	mu   sync.Mutex
	kept []byte
	over bool // there was more

	pipe *os.File
	done chan struct{} // closed when nobody holds the other end any more
}

// newCapture returns the end of a pipe that the command writes to. The pipe is our
// own, not os/exec's: Wait would not return while a descendant holds that.
func newCapture(limit int, tail bool) (*capture, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	c := &capture{limit: limit, tail: tail, pipe: r, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		_, _ = io.Copy(c, r) // ends with the pipe; Write never fails
	}()
	return c, w, nil
}

var _ io.Writer = (*capture)(nil)

// Write never fails: a command that prints too much must not be stopped by it.
func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.tail:
		c.kept = append(c.kept, p...)
		if len(c.kept) > 2*c.limit {
			c.kept = append([]byte(nil), c.kept[len(c.kept)-c.limit:]...)
		}
	case c.over:
	case len(c.kept)+len(p) > c.limit:
		c.over, c.kept = true, nil
	default:
		c.kept = append(c.kept, p...)
	}
	return len(p), nil
}

// all returns what was kept, and whether there was more. Nobody writes any more.
func (c *capture) all() ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept, c.over
}

// lastLines is how much of its output an error shows.
const lastLines = 12

// last returns the end of the output for a reader.
func (c *capture) last() string {
	c.mu.Lock()
	text := string(c.kept[max(0, len(c.kept)-lastLines*400):])
	c.mu.Unlock()
	text = strings.TrimRight(strings.ToValidUTF8(text, "�"), "\n\r\t ")
	all := strings.Split(text, "\n")
	all = all[max(0, len(all)-lastLines):]
	for i, l := range all {
		if len(l) > 200 {
			all[i] = strings.ToValidUTF8(l[:200], "") + "…"
		}
	}
	return strings.Join(all, "\n")
}

// close stops reading, also when a process that was not found holds the pipe.
func (c *capture) close() {
	c.pipe.Close()
	<-c.done
}
