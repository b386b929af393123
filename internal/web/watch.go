package web

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// watch keeps the index up to date.
func (s *Server) watch(ctx context.Context) {
	s.look(ctx)
	tick := time.NewTicker(pace)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		s.mu.Lock()
		open := time.Since(s.asked) < idle
		s.mu.Unlock()
		if open {
			s.look(ctx)
		}
	}
}

// look brings the index up to date, and tells the pages what came of it.
func (s *Server) look(ctx context.Context) {
	missing := s.sync(ctx)
	changed, err := s.index.Refresh(ctx, func(done, of int) {
		s.mu.Lock()
		s.reading = progress{done, of}
		s.mu.Unlock()
		if done > 0 {
			s.bell.ring()
		}
	})
	trouble := ""
	if err == nil {
		err = missing
	}
	if err != nil && ctx.Err() == nil {
		trouble = err.Error()
	}
	s.mu.Lock()
	news := changed || trouble != s.trouble
	s.reading, s.trouble = progress{}, trouble
	s.mu.Unlock()
	if news {
		s.bell.ring()
	}
}

// bell tells all that wait at once.
type bell struct {
	mu    sync.Mutex
	rings chan struct{}
}

func (b *bell) next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rings == nil {
		b.rings = make(chan struct{})
	}
	return b.rings
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rings != nil {
		close(b.rings)
		b.rings = nil
	}
}

// events tells a page when the list changed. A comment goes out now and then, which shows a page that is gone.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	send := func(text string) bool {
		_, err := fmt.Fprint(w, text)
		return err == nil && out.Flush() == nil
	}
	rings := s.bell.next()
	if !send(": open\n\n") {
		return
	}
	alive := time.NewTicker(idle / 4)
	defer alive.Stop()
	for {
		text := ""
		select {
		case <-r.Context().Done():
			return
		case <-rings:
			rings = s.bell.next()
			text = "event: runs\ndata: changed\n\n"
		case <-alive.C:
			text = ": open\n\n"
		}
		s.touch()
		if !send(text) {
			return
		}
	}
}
