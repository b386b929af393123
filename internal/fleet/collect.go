package fleet

import (
	"archive/tar"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/wire"
	"github.com/unpark-go/unpark/internal/measure/load"
)

// Result is what all agents came to.
type Result struct {
	Agents   []unpark.Agent
	Record   *load.Record    // of the parts that count; nil: of none
	Windows  []unpark.Window // of the agents that captured, in their order; times are the coordinator's
	Void     []unpark.Notice
	Warnings []unpark.Notice

	beside unpark.Number // requests of the window that the service answered to parts that do not count; unknown without such a part
}

// Loads are the measured stretches by their phases; the stretches beside a window are in
// order.
func (r Result) Loads() (window *unpark.Load, beside []unpark.Load, traced *unpark.Load) {
	if r.Record == nil {
		return nil, nil, nil
	}
	for i, s := range r.Record.Stretches {
		l := r.Record.Load(i)
		switch s.Phase {
		case "window":
			l.Beside = r.beside
			window = &l
		case "trace":
			traced = &l
		default:
			beside = append(beside, l)
		}
	}
	return window, beside, traced
}

// Measured is the record's stretch of the window, -1 where there is none.
func (r Result) Measured() int {
	if r.Record != nil {
		for i, s := range r.Record.Stretches {
			if s.Phase == "window" {
				return i
			}
		}
	}
	return -1
}

// Wait waits for the agents, at most until a deadline that follows from the phases, and
// fetches what they have. When ctx ends, so do the agents, and there is no result of theirs.
func (s *Session) Wait(ctx context.Context) (Result, error) {
	defer s.End()
	// They are waited for at once; what one hands in is fetched while others are waited for.
	parts := make([]*part, len(s.members))
	var wg sync.WaitGroup
	room := make(chan struct{}, fetchers)
	for i, m := range s.members {
		wg.Go(func() {
			p := &part{member: m, drift: -1}
			parts[i] = p
			p.lost = s.await(ctx, m)
			m.mu.Lock() // one that was given up may still be heard of
			p.done, p.silent, p.last, p.heard = m.done, m.silent, m.sign, m.heard
			m.mu.Unlock()
			if p.lost != "" || p.done.Err != "" {
				return
			}
			if o, err := s.f.compare(ctx, m.agent.Name); err == nil {
				p.drift = (o.Ahead - m.agent.Clock.Ahead).Abs()
			}
			room <- struct{}{}
			defer func() { <-room }()
			fetched, cancel := context.WithTimeout(ctx, fetchWithin)
			defer cancel()
			p.failed = s.fetch(fetched, p)
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return Result{Agents: s.said(parts)}, fmt.Errorf("interrupted while agents drove the load: %w", err)
	}
	return s.judge(parts), nil
}

// part is what one agent has done.
type part struct {
	*member
	done   *wire.Done
	silent time.Duration // as in member
	lost   string        // why nothing came of it; empty when something did
	failed error         // of fetching it
	last   wire.Sign     // what it said last, and when
	heard  time.Time
	drift  time.Duration // of its clock within the run; negative: unknown
	record *load.Record
	window *unpark.Window
	counts bool // its record is in the figures
}

// await waits for an agent's result, and says why it is not waited for any more.
func (s *Session) await(ctx context.Context, m *member) string {
	deadline := s.Start().Add(m.task.End() + doneWithin)
	t := time.NewTicker(wire.Beat / 2)
	defer t.Stop()
	for {
		select {
		case <-m.came:
			return ""
		case <-ctx.Done():
			return "the run was interrupted"
		case <-t.C:
		}
		m.mu.Lock()
		silent := time.Since(m.heard)
		m.mu.Unlock()
		if silent > wire.Lease+silence {
			if why := s.f.cut(); why != "" {
				return why
			}
			return fmt.Sprintf("it has said nothing for %v: it was killed, or its link is cut", silent.Round(100*time.Millisecond))
		}
		if time.Now().After(deadline) {
			return fmt.Sprintf("it had no result %v after its last phase", doneWithin)
		}
	}
}

// fetch reads the record and the window, and streams the files into the run directory.
func (s *Session) fetch(ctx context.Context, p *part) error {
	d := p.done
	if d.Record != "" {
		err := s.object(ctx, d.Record, func(r io.Reader) (err error) {
			p.record, err = load.ReadRecord(r)
			return err
		})
		if err != nil {
			return err
		}
	}
	if d.Window == "" {
		return nil
	}
	err := s.object(ctx, d.Window, func(r io.Reader) error {
		p.window = &unpark.Window{}
		return json.NewDecoder(io.LimitReader(r, mostWindow)).Decode(p.window)
	})
	if err != nil {
		return err
	}
	if d.Files == "" {
		return nil
	}
	return s.object(ctx, d.Files, func(r io.Reader) error { return s.unpack(r, p) })
}

// unpack streams an agent's files into the run directory. Closing a file forces it to the disk, which
// takes much longer than writing it and is done of many at a time.
func (s *Session) unpack(r io.Reader, p *part) error {
	var closing errgroup.Group
	closing.SetLimit(closers)
	in := tar.NewReader(r)
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return closing.Wait()
		}
		var w io.WriteCloser
		if err == nil {
			w, err = s.file(h, p)
		}
		if err == nil {
			_, err = io.Copy(w, in)
			closing.Go(w.Close)
		}
		if err != nil {
			return errors.Join(err, closing.Wait())
		}
	}
}

// file makes a file of the run directory, where an agent may only put what is of its own
// processes.
func (s *Session) file(h *tar.Header, p *part) (io.WriteCloser, error) {
	if s.o.Create == nil || h.Typeflag != tar.TypeReg || !filepath.IsLocal(filepath.FromSlash(h.Name)) || !p.owns(s.o.Window, h.Name) {
		return nil, fmt.Errorf("agent %s: a file %q of a process that is not its own", p.agent.Name, h.Name)
	}
	name := h.Name
	if path.Dir(name) == s.o.Window { // metrics.jsonl is one of each machine
		name = path.Join(s.o.Window, p.agent.Name+"-"+path.Base(name))
	}
	return s.o.Create(name)
}

func (p *part) owns(window, file string) bool {
	rest, ok := strings.CutPrefix(file, window+"/")
	number, _, deep := strings.Cut(rest, "/")
	if !ok || !deep {
		return ok
	}
	for _, n := range p.numbers {
		if fmt.Sprint(n) == number {
			return true
		}
	}
	return false
}

// object reads one object of the run and deletes it. Its digest is checked at its end.
func (s *Session) object(ctx context.Context, key string, read func(io.Reader) error) error {
	if !strings.HasPrefix(key, s.run+"/") {
		return fmt.Errorf("fetch %q: it is not of this run", key)
	}
	o, err := s.f.objects.Get(ctx, key)
	if err != nil {
		return fmt.Errorf("fetch %s: %w", key, err)
	}
	defer o.Close()
	if err := read(o); err != nil {
		return fmt.Errorf("fetch %s: %w", key, err)
	}
	if _, err := io.Copy(io.Discard, o); err != nil {
		return fmt.Errorf("fetch %s: %w", key, err)
	}
	if err := o.Error(); err != nil {
		return fmt.Errorf("fetch %s: %w", key, err)
	}
	_ = s.f.objects.Delete(ctx, key) // what stays goes by the bucket's age
	return nil
}
