//go:build linux && (amd64 || arm64)

package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/inspect"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/labs/score/twin"
)

// What unpark does to a process: its CPU is sampled so often in a second that it computes, and its goroutines so often in a window,
// however long that is (internal/measure/window, snapshotsOutside).
const (
	hertz     = 100
	snapshots = 64
)

// doses reads processes as unpark does, and several times as often.
type doses struct {
	setting

	mu       sync.Mutex
	open     map[*twin.Service]*inspect.Process
	recorded float64 // s of CPU that services took to record blocking and contention
	sampled  float64 // s of CPU in all
	readings int
	reading  time.Duration
}

func newDoses(s setting) *doses {
	return &doses{setting: s, open: map[*twin.Service]*inspect.Process{}}
}

// read reads a service for a while.
func (d *doses) read(ctx context.Context, s *twin.Service, length time.Duration) (from, to time.Time, err error) {
	p := d.open[s]
	if p == nil {
		if p, err = inspect.Open(s.PID); err != nil {
			return from, to, err
		}
		d.open[s] = p
	}
	var rates inspect.Rates
	if d.has("rates") {
		rates = inspect.Rates{Block: int64(time.Millisecond), Mutex: 1}
	}
	lease, err := p.Lend(rates)
	if err != nil {
		return from, to, err
	}
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	var all sync.WaitGroup
	var text []byte
	var failed [2]error
	from = time.Now()
	if d.has("cpu") {
		all.Go(func() { text, failed[0] = p.CPU(ctx, length, inspect.Sampling{Hertz: hertz * d.Dose}) })
	}
	if d.has("rates") {
		lease.Record(d.recording())
		all.Go(func() { lease.Keep(ctx) })
	}
	if d.has("goroutines") {
		all.Go(func() { failed[1] = d.snapshots(ctx, p) })
	}
	<-ctx.Done()
	to = time.Now()
	all.Wait()
	if err := errors.Join(failed[0], failed[1], lease.Release()); err != nil {
		return from, to, err
	}
	return from, to, d.count(text)
}

// recording is what is enough for a window, made shorter as the window is that stands for a longer one.
func (d *doses) recording() inspect.Recording {
	like := cmp.Or(d.Like, d.Window)
	short := d.Window.Seconds() / like.Seconds()
	r := inspect.RecordingOf(like)
	r.Least = time.Duration(short * float64(r.Least))
	r.Records, r.Events, r.Some = short*r.Records, short*r.Events, short*r.Some
	return r
}

func (d *doses) has(part string) bool { return d.Part == "" || d.Part == part }

func (d *doses) snapshots(ctx context.Context, p *inspect.Process) error {
	tick := time.NewTicker(cmp.Or(d.Like, d.Window) / time.Duration(snapshots*d.Dose))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		began := time.Now()
		if _, err := p.Profile(unpark.KindGoroutine); err != nil {
			return err
		}
		d.mu.Lock()
		d.readings, d.reading = d.readings+1, d.reading+time.Since(began)
		d.mu.Unlock()
	}
}

// count adds up what of a CPU profile is recording.
func (d *doses) count(text []byte) error {
	if text == nil {
		return nil
	}
	p, err := profile.Decode(bytes.NewReader(text), unpark.KindCPU, "the service")
	if err != nil {
		return err
	}
	for _, s := range p.Samples() {
		d.sampled += s.Value
		if roles.On(s.Stack, roles.Observer) {
			d.recorded += s.Value
		}
	}
	return nil
}

// recordedShare is the part of the service's CPU that recording took in its windows.
func (d *doses) recordedShare() float64 { return d.recorded / max(d.sampled, 1e-9) }

// String says what one dose comes to.
func (d *doses) String() string {
	return fmt.Sprintf("recording blocking and contention: %.2f %% of %.0f s of the service's CPU; %d readings of goroutines, %.2f ms each",
		100*d.recordedShare(), d.sampled, d.readings, 1e3*d.reading.Seconds()/float64(max(1, d.readings)))
}
