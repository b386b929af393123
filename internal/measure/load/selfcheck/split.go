package selfcheck

import (
	"io"
	"net"
	"sync"
	"time"

	"golang.org/x/net/http2"

	"github.com/unpark-go/unpark/internal/measure/load/direct"
)

const (
	// headTimeout is how long a client may take to say what it speaks.
	headTimeout = time.Minute
	// headLength tells: no method of HTTP/1.1 begins as the preface of HTTP/2 does.
	headLength = len("PRI")
)

// splitter serves the connections of a listener by what they begin with.
type splitter struct {
	net.Listener
	book    *book
	answers h2Answers

	mu    sync.Mutex
	open  map[net.Conn]struct{}
	ended bool
}

func newSplitter(ln net.Listener, b *book) (*splitter, error) {
	answers, err := newH2Answers()
	if err != nil {
		return nil, err
	}
	return &splitter{Listener: ln, book: b, answers: answers, open: map[net.Conn]struct{}{}}, nil
}

// run accepts until the listener is closed, and returns why it was.
func (s *splitter) run() error {
	for {
		c, err := s.Accept()
		if err != nil {
			return err
		}
		if s.keep(c) {
			go s.tell(c)
		}
	}
}

// Close ends the connections as well.
func (s *splitter) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	for c := range s.open {
		_ = c.Close()
	}
	return s.Listener.Close()
}

func (s *splitter) keep(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		_ = c.Close()
		return false
	}
	s.open[c] = struct{}{}
	return true
}

func (s *splitter) release(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, c)
}

// tell finds out what a client speaks.
func (s *splitter) tell(c net.Conn) {
	defer s.release(c)
	head := make([]byte, headLength)
	_ = c.SetReadDeadline(time.Now().Add(headTimeout))
	_, err := io.ReadFull(c, head)
	switch {
	case err != nil:
	case string(head) != http2.ClientPreface[:headLength]:
		_ = c.SetReadDeadline(time.Time{})
		serveH1(&begunConn{Conn: direct.Conn(c), head: head}, s.book)
	case readPreface(c, string(head)) == nil:
		_ = c.SetReadDeadline(time.Time{})
		newH2Conn(direct.Conn(c), s.book, &s.answers).serve()
		return
	}
	_ = c.Close()
}

// begunConn gives back what was read from it.
type begunConn struct {
	net.Conn
	head []byte
}

func (c *begunConn) Read(b []byte) (int, error) {
	if len(c.head) > 0 {
		n := copy(b, c.head)
		c.head = c.head[n:]
		return n, nil
	}
	return c.Conn.Read(b)
}
