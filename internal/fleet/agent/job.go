package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/wire"
	"github.com/unpark-go/unpark/internal/measure/load"
)

const (
	prepareWithin = 15 * time.Second
	readyBefore   = 300 * time.Millisecond // that threads are made ready before the start
	answersWithin = 10 * time.Second       // of the last requests
	handInWithin  = 3 * time.Minute
)

// job is one task while it is done.
type job struct {
	a       *Agent
	task    *wire.Task
	plan    unpark.Plan
	phases  *phases
	capture *capture // nil: nothing is captured

	lease   *nats.Subscription
	heard   atomic.Int64 // when the coordinator was heard last, by the clock
	once    sync.Once
	stopped chan struct{}
	why     string
	began   atomic.Bool
	over    chan struct{}

	load      *load.Generator                // prepared; nil: it drives none
	generator atomic.Pointer[load.Generator] // once it has begun
	window    atomic.Pointer[load.Stretch]   // once it has begun
}

var errStopped = errors.New("ended early")

// prepare checks a task and makes everything ready; nothing has been sent to a target that
// is not allowed.
func (a *Agent) prepare(t *wire.Task) (*job, error) {
	ctx, cancel := context.WithTimeout(context.Background(), prepareWithin)
	defer cancel()
	j := &job{a: a, task: t, phases: newPhases(t), stopped: make(chan struct{}), over: make(chan struct{})}
	if err := a.allowed(ctx, t); err != nil {
		return nil, err
	}
	if t.Plan != nil {
		var err error
		if j.plan, err = t.Plan.Whole(); err != nil {
			return nil, err
		}
	}
	if len(t.Capture) > 0 {
		var err error
		if j.capture, err = a.newCapture(ctx, t); err != nil {
			return nil, err
		}
	}
	if t.Plan != nil {
		err := load.Check(ctx, j.plan)
		if err == nil {
			j.load, err = load.Prepare(context.Background(), j.plan)
		}
		if err != nil {
			j.capture.close()
			return nil, err
		}
	}
	j.heard.Store(a.clock.Now())
	var err error
	j.lease, err = a.nc.Subscribe(wire.Of("lease", t.Run), func(*nats.Msg) { j.heard.Store(a.clock.Now()) })
	if err != nil {
		j.release()
		return nil, fmt.Errorf("listen to the coordinator: %w", err)
	}
	go j.live()
	return j, nil
}

func (j *job) pids() []int {
	if j.capture == nil {
		return nil
	}
	return j.capture.pids()
}

// stop ends the job; the first reason counts, and is told by true. One that has not begun is over at once.
func (j *job) stop(why string) (first bool) {
	j.once.Do(func() {
		j.why, first = why, true
		close(j.stopped)
		if !j.began.Swap(true) {
			j.finish()
		}
	})
	return first
}

// release gives back what was prepared.
func (j *job) release() {
	if j.load != nil {
		j.load.Stop()
	}
	j.capture.close()
}

func (j *job) finish() {
	_ = j.lease.Unsubscribe() // the connection may be gone, and the lease with it
	j.release()
	j.a.finished(j)
	close(j.over)
}

// live tells that the agent is there, and ends the job when the coordinator is not.
func (j *job) live() {
	t := time.NewTicker(wire.Beat)
	defer t.Stop()
	for {
		select {
		case <-j.over:
			return
		case <-t.C:
		}
		if since := time.Duration(j.a.clock.Now() - j.heard.Load()); since > wire.Lease {
			why := "the coordinator was not heard of for " + wire.Lease.String()
			if j.stop(why) {
				j.a.o.Say("run " + j.task.Run + ": " + why + ": its load ends")
			}
		}
		var s wire.Sign
		if g := j.generator.Load(); g != nil {
			l := g.Live()
			s = wire.Sign{Phase: l.Phase, RPS: l.RPS, P99: l.P99, Errors: l.Errors, InFlight: l.InFlight, Answered: j.answered()}
		}
		if text, err := json.Marshal(s); err == nil {
			_ = j.a.nc.Publish(wire.Of("beat", j.task.Run, j.a.o.Name), text) // one that is lost is what it tells
		}
	}
}

// answered is how many requests of the window had an answer by now.
func (j *job) answered() int64 {
	if s := j.window.Load(); s != nil {
		return s.Answered()
	}
	return 0
}

// begin starts the job at an instant of the agent's clock, unless that is too near to be met.
func (j *job) begin(s wire.Start) error {
	if left := time.Until(j.a.clock.Time(s.At)); left < readyBefore {
		return fmt.Errorf("it heard %v before the start of when that is, and needs %v: its link is slow, or its machine busy: run again",
			left.Round(time.Millisecond), readyBefore)
	}
	if j.began.Swap(true) {
		return nil
	}
	go func() {
		defer j.finish()
		j.a.o.Say("run " + j.task.Run + " begins")
		done := j.do(s)
		if done.Err != "" && !(done.Err == j.why && j.coordinatorGone()) { // that was said when it was seen
			j.a.o.Say("run " + j.task.Run + ": " + done.Err)
		}
		if err := j.handIn(done); err != nil {
			j.a.o.Say("run " + j.task.Run + ": " + err.Error())
			return
		}
		j.a.o.Say("run " + j.task.Run + " is over")
	}()
	return nil
}

// outcome is what a job has made.
type outcome struct {
	wire.Done
	record *load.Record
	seen   *captured
}

// do carries the task out.
func (j *job) do(s wire.Start) outcome {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-j.stopped:
			cancel()
		case <-ctx.Done():
		}
	}()
	start := j.a.clock.Time(s.At)
	var out outcome
	var both sync.WaitGroup
	var lost, missed error
	if j.task.Plan != nil {
		both.Go(func() { lost = j.drive(ctx, start, &out) })
	}
	if j.capture != nil {
		both.Go(func() {
			if !j.phases.whole(ctx) {
				missed = errStopped
				return
			}
			out.seen, missed = j.capture.take(ctx, start, s.Numbers)
		})
	}
	both.Wait()
	out.Wall, out.Answered = time.Now().UnixNano()-j.a.clock.Now(), j.answered()
	if err := errors.Join(lost, missed); err != nil {
		out.Err = err.Error()
	}
	select {
	case <-j.stopped:
		out.Err = j.why
	default:
	}
	return out
}
