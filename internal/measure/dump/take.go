package dump

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// catalogue returns what is known of a process's frames. Without its profile less
// is known, and that is no error: the dumps will tell.
func catalogue(ctx context.Context, s Source) *profile.Catalogue {
	c := profile.NewCatalogue(s.Module, s.Own...)
	if s.Profile == nil {
		return c
	}
	body, err := s.Profile(ctx)
	if err != nil {
		return c
	}
	p, err := profile.Decode(bytes.NewReader(body), unpark.KindGoroutine, s.Endpoint)
	if err != nil {
		return c
	}
	return c.With(p)
}

// round takes one dump of every process, and fails when there was none. It
// returns the time that the slowest one took.
func (w *watch) round(ctx context.Context) (time.Duration, error) {
	if w.start.IsZero() {
		w.start = time.Now()
	}
	took := make([]time.Duration, len(w.Sources))
	errs := make([]error, len(w.Sources))
	w.each(func(i int) { took[i], errs[i] = w.dump(ctx, i) })
	longest, failed := time.Duration(0), 0
	for i, err := range errs {
		longest = max(longest, took[i])
		if err != nil {
			failed++
		}
	}
	if failed == len(errs) {
		return longest, errors.Join(errs...)
	}
	return longest, nil
}

// each calls f for every source, a few at a time.
func (w *watch) each(f func(i int)) {
	const atOnce = 8
	var all sync.WaitGroup
	room := make(chan bool, atOnce)
	for i := range w.Sources {
		room <- true
		all.Go(func() {
			defer func() { <-room }()
			f(i)
		})
	}
	all.Wait()
}

// dump takes one dump of one process.
func (w *watch) dump(ctx context.Context, i int) (time.Duration, error) {
	begun := time.Now()
	text, err := w.Sources[i].Stacks(ctx)
	took := time.Since(begun)
	d := unpark.WatchDump{At: begun.Sub(w.start).Seconds(), Took: took.Seconds(), Bytes: int64(len(text))}
	if err == nil {
		var s summary
		s, err = w.processes[i].add(begun, text)
		d.Goroutines, d.Truncated, d.Broken = s.goroutines, s.truncated && err == nil, s.broken
	}
	if err != nil {
		d.Error = err.Error()
	}
	w.out[i].Dumps = append(w.out[i].Dumps, d)
	return took, err
}

// collect has every process collect garbage, so that its wait times count from
// now on. It comes after the first dump: what is seen before and after it has met
// it waiting.
func (w *watch) collect(ctx context.Context) {
	w.each(func(i int) {
		if w.Sources[i].Collect == nil || w.processes[i].dumps() == 0 {
			return
		}
		begun := time.Now()
		if w.Sources[i].Collect(ctx) == nil {
			w.processes[i].collected = time.Now()
			w.out[i].Collected = unpark.Num(time.Since(begun).Seconds())
		}
	})
}

// leaks reads the goroutineleak profiles.
func (w *watch) leaks(ctx context.Context) {
	w.each(func(i int) {
		s, out := w.Sources[i], &w.out[i]
		if s.Leaks == nil || w.processes[i].dumps() == 0 {
			return
		}
		body, err := s.Leaks(ctx)
		if err != nil {
			out.LeakNote = err.Error()
			return
		}
		p, err := profile.Decode(bytes.NewReader(body), unpark.KindGoroutineLeak, s.Endpoint+" goroutineleak")
		if err != nil {
			out.LeakProfile, out.LeakNote = unpark.Bad, err.Error()
			return
		}
		out.LeakProfile, out.LeakNote = unpark.Present, ""
		w.processes[i].leaks(p)
	})
}
