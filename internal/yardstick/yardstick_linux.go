package yardstick

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// stay is how many pieces are done on a processor before the next one's turn: to
// move costs 0.1 ms.
const stay = 5

// Yardstick is one measurement while it goes on, and afterwards.
type Yardstick struct {
	stop, over chan struct{}
	began      time.Time
	pieces     []piece // written by the thread until over is closed
}

// Start begins to measure on the given processors, one after the other; none: wherever
// the kernel likes. A piece is done now and then, [Often] or [Seldom]. It ends by Stop, or by itself after most. An error says why
// there is no yardstick here: the processors may not be used, or there are no
// descriptors.
func Start(cpus []int, every, most time.Duration) (*Yardstick, error) {
	w, err := newWork()
	if err != nil {
		return nil, fmt.Errorf("start the yardstick: %w", err)
	}
	y := &Yardstick{
		stop: make(chan struct{}), over: make(chan struct{}), began: time.Now(),
		pieces: make([]piece, 0, int(most/every)+1),
	}
	ready := make(chan error, 1)
	go y.run(w, sets(cpus), every, ready)
	if err := <-ready; err != nil {
		<-y.over
		return nil, fmt.Errorf("start the yardstick: %w", err)
	}
	return y, nil
}

func sets(cpus []int) []unix.CPUSet {
	out := make([]unix.CPUSet, len(cpus))
	for i, c := range cpus {
		out[i].Set(c)
	}
	return out
}

// run does pieces until it is stopped or there is no room for more. The thread ends
// with it: its affinity is of no use to anybody else.
func (y *Yardstick) run(w *work, sets []unix.CPUSet, every time.Duration, ready chan<- error) {
	defer close(y.over)
	defer w.wire.close()
	runtime.LockOSThread()
	var clock, again unix.Timespec
	if err := errors.Join(visit(sets), unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &clock)); err != nil {
		ready <- err
		return
	}
	ready <- nil
	tick := time.NewTicker(every)
	defer tick.Stop()
	for turn := 0; len(y.pieces) < cap(y.pieces); turn++ {
		if len(sets) > 0 && turn%stay == 0 {
			// It was allowed a moment ago; where it no longer is, the thread stays.
			_ = unix.SchedSetaffinity(0, &sets[turn/stay%len(sets)])
		}
		_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &clock)
		w.piece()
		_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &again)
		y.pieces = append(y.pieces, piece{at: time.Since(y.began), took: time.Duration(again.Nano() - clock.Nano())})
		select {
		case <-y.stop:
			return
		case <-tick.C:
		}
	}
}

// visit tries every processor once.
func visit(sets []unix.CPUSet) error {
	for i := range sets {
		if err := unix.SchedSetaffinity(0, &sets[i]); err != nil {
			return fmt.Errorf("run on the target's processors: %w: allow unpark the same ones", err)
		}
	}
	return nil
}

// Stop ends the measurement and waits for the thread. It may be called once.
func (y *Yardstick) Stop() {
	close(y.stop)
	<-y.over
}
