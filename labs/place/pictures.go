package main

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/singleflight"
)

// pictures sends the canvas to a client. It fails before the first byte of the
// answer or not at all: a client that is gone is nobody's error.
type pictures interface {
	send(ctx context.Context, w http.ResponseWriter) error
}

var (
	_ pictures = (*fromRows)(nil)
	_ pictures = (*fromImage)(nil)
	_ pictures = (*fromBytes)(nil)
	_ pictures = (*stampeding)(nil)
	_ pictures = (*lockedWrite)(nil)
)

func write(w http.ResponseWriter, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "image/png")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body)
}

// fromRows reads, draws and encodes every pixel for every request.
type fromRows struct {
	size  size
	store *store
}

func (f *fromRows) send(ctx context.Context, w http.ResponseWriter) error {
	img, err := f.size.drawn(ctx, f.store)
	if err != nil {
		return err
	}
	body, err := encode(img)
	if err != nil {
		return err
	}
	write(w, body)
	return nil
}

// fromImage encodes the image in memory for every request.
type fromImage struct{ board *board }

func (f *fromImage) send(_ context.Context, w http.ResponseWriter) error {
	body, err := encode(f.board.canvas().image)
	if err != nil {
		return err
	}
	write(w, body)
	return nil
}

// encoded is a canvas as it is sent.
type encoded struct {
	version uint64
	body    []byte
}

// latest keeps the newest encoded canvas.
type latest struct{ kept atomic.Pointer[encoded] }

// of returns the bytes of a canvas, or of a newer one, if they are kept.
func (l *latest) of(c *canvas) ([]byte, bool) {
	e := l.kept.Load()
	if e == nil || e.version < c.version {
		return nil, false
	}
	return e.body, true
}

// make encodes a canvas and keeps the bytes, unless newer ones are kept already.
func (l *latest) make(c *canvas) ([]byte, error) {
	body, err := encode(c.image)
	if err != nil {
		return nil, err
	}
	e := &encoded{version: c.version, body: body}
	for {
		old := l.kept.Load()
		if old != nil && old.version >= e.version || l.kept.CompareAndSwap(old, e) {
			return body, nil
		}
	}
}

// fromBytes keeps the final bytes. After a change one request makes them, and the
// others wait for it.
type fromBytes struct {
	board   *board
	bytes   latest
	flights singleflight.Group
}

func (f *fromBytes) send(_ context.Context, w http.ResponseWriter) error {
	body, err := f.current()
	if err != nil {
		return err
	}
	write(w, body)
	return nil
}

// current has a flight of its own for each version: who joined one that had begun
// before its pixel was painted would get a picture without it.
func (f *fromBytes) current() ([]byte, error) {
	c := f.board.canvas()
	if body, ok := f.bytes.of(c); ok {
		return body, nil
	}
	made, err, _ := f.flights.Do(strconv.FormatUint(c.version, 10), func() (any, error) {
		if body, ok := f.bytes.of(c); ok {
			return body, nil // the flight before this one landed in between
		}
		return f.bytes.make(c)
	})
	if err != nil {
		return nil, err
	}
	return made.([]byte), nil
}

// stampeding keeps the final bytes as well, but after a change every request that
// finds them too old makes them for itself.
type stampeding struct {
	board *board
	bytes latest
}

func (s *stampeding) send(_ context.Context, w http.ResponseWriter) error {
	c := s.board.canvas()
	body, ok := s.bytes.of(c)
	if !ok {
		var err error
		if body, err = s.bytes.make(c); err != nil {
			return err
		}
	}
	write(w, body)
	return nil
}

// lockedWrite keeps the final bytes under a mutex, and holds it until the client
// has taken them.
type lockedWrite struct {
	board *board
	mu    sync.Mutex
	bytes encoded
}

func (l *lockedWrite) send(_ context.Context, w http.ResponseWriter) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.board.canvas(); l.bytes.version < c.version {
		body, err := encode(c.image)
		if err != nil {
			return err
		}
		l.bytes = encoded{version: c.version, body: body}
	}
	write(w, l.bytes.body)
	return nil
}
