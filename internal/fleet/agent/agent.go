// Package agent is one machine of a fleet: it drives its share of a load, captures the
// processes that it is told of, and hands in what it has recorded.
//
// An agent does one task at a time. A task is refused before anything of it has happened
// where the agent's own list does not permit it. The load ends when it is over, when the
// coordinator says so, and when the coordinator has not been heard of for [wire.Lease].
package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/clock"
	"github.com/unpark-go/unpark/internal/fleet/hub"
	"github.com/unpark-go/unpark/internal/fleet/wire"
	"github.com/unpark-go/unpark/internal/measure/target/rusage"
)

// Options says which machine it is, and what it may do.
type Options struct {
	Name    string // unique among the agents
	Join    hub.Join
	Address string   // of the NATS server
	Allow   []string // hosts that may be loaded and captured although they are not private
	Version unpark.Version
	Token   string        // of the probes on this machine
	Shift   time.Duration // of the clock; of tests alone
	For     time.Duration // it ends by itself after that; 0: not
	Idle    time.Duration // it ends when it has done a task and was given no other for so long; 0: not
	// Attach opens a process by its number and returns an address for it; nil: by number
	// nothing is captured.
	Attach func(ctx context.Context, pid int) (address string, done func() error, err error)
	Say    func(line string) // what goes on; may be nil
}

// Agent is one that runs.
type Agent struct {
	o     Options
	nc    *nats.Conn
	clock *clock.Clock
	host  unpark.Host

	linked  atomic.Bool // a server that refuses it ends a link that never was
	met     atomic.Bool // the coordinator, at least once
	sought  bool        // it was looked for before
	trouble string      // why it cannot join, as it was said last

	mu       sync.Mutex
	join     wire.Join
	task     *wire.Task
	current  *job
	rested   time.Time // since when it has nothing to do; zero before the first task is done
	before   rusage.Machine
	beforeAt time.Time
}

// helloEvery is how often an agent renews its place in the register.
const helloEvery = 2 * time.Second

// Run serves until ctx ends, or until the options have it end by itself. A server that is not there yet is sought until then.
func Run(ctx context.Context, o Options) error {
	if !wire.Valid(o.Name) {
		return fmt.Errorf("agent name %q: it has letters, digits, - and _: choose another with --name", o.Name)
	}
	if o.Say == nil {
		o.Say = func(string) {}
	}
	a := &Agent{o: o, clock: clock.New(o.Shift), host: rusage.Host()}
	connected := make(chan struct{}, 1)
	tell := func(line string) nats.ConnHandler {
		return func(*nats.Conn) {
			a.linked.Store(true)
			a.met.Store(true)
			o.Say(line)
			select {
			case connected <- struct{}{}:
			default:
			}
		}
	}
	nc, err := o.Join.DialAgent(o.Address, nats.ConnectHandler(tell("connected; waits for a run, until Ctrl-C")), nats.ReconnectHandler(tell("connected again")),
		nats.DisconnectErrHandler(func(*nats.Conn, error) {
			if a.linked.Swap(false) {
				o.Say("the coordinator is gone, or the link to it; it is sought")
			}
		}))
	if err != nil {
		return err
	}
	defer nc.Close()
	a.nc = nc
	for what, f := range map[string]func(*nats.Msg){
		"clock": a.onClock, "plan": a.onPlan, "prepare": a.onPrepare, "start": a.onStart, "more": a.onMore, "block": a.onBlock, "stop": a.onStop,
	} {
		if _, err := nc.Subscribe(wire.Subject(o.Name, what), f); err != nil {
			return fmt.Errorf("listen to the coordinator: %w", err)
		}
	}
	a.serve(ctx, connected)
	a.leave()
	return nil
}

// serve renews the agent's place in the register until it is to end.
func (a *Agent) serve(ctx context.Context, connected <-chan struct{}) {
	t := time.NewTicker(helloEvery)
	defer t.Stop()
	over := make(<-chan time.Time)
	if a.o.For > 0 {
		over = time.After(a.o.For)
	}
	for !a.idle() {
		a.hello(ctx)
		select {
		case <-ctx.Done():
			a.end("the agent was stopped")
			return
		case <-over:
			a.o.Say(fmt.Sprintf("ends, as it was to after %v", a.o.For))
			a.end("the agent's time was over")
			return
		case <-connected:
		case <-t.C:
		}
	}
	a.o.Say(fmt.Sprintf("ends: it has done what it was asked, and was asked no more for %v", a.o.Idle))
}

// idle reports whether the agent was asked for nothing more for so long that it is to end.
func (a *Agent) idle() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.o.Idle > 0 && a.current == nil && a.task == nil && !a.rested.IsZero() && time.Since(a.rested) >= a.o.Idle
}

// hello writes the agent into the register. The next one repairs what fails.
func (a *Agent) hello(ctx context.Context) {
	switch err := hub.Trouble(a.nc, a.o.Address); {
	case err != nil && !strings.EqualFold(err.Error(), a.trouble):
		a.trouble = err.Error()
		a.o.Say(a.trouble)
	case err == nil && a.trouble == "" && a.sought && !a.met.Load(): // not at once: an answer may be on its way
		a.trouble = "no coordinator answers at " + a.o.Address + " yet; it is sought"
		a.o.Say(a.trouble)
	}
	a.sought = true
	if !a.nc.IsConnected() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, helloEvery)
	defer cancel()
	kv, err := a.register(ctx)
	if err != nil {
		return
	}
	text, err := json.Marshal(a.describe())
	if err != nil {
		return
	}
	_, _ = kv.Put(ctx, a.o.Name, text)
}

func (a *Agent) register(ctx context.Context) (jetstream.KeyValue, error) {
	js, err := jetstream.New(a.nc)
	if err != nil {
		return nil, err
	}
	return js.KeyValue(ctx, hub.Agents)
}

func (a *Agent) leave() {
	a.linked.Store(false) // which it ends itself
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if kv, err := a.register(ctx); err == nil {
		_ = kv.Delete(ctx, a.o.Name)
	}
}

func (a *Agent) describe() wire.Hello {
	h := wire.Hello{
		Name: a.o.Name, Schema: wire.Schema, Run: unpark.SchemaRun, Version: a.o.Version, Host: a.host,
		Boot: bootID(), Attach: a.o.Attach != nil, Allow: a.o.Allow, Free: freeMemory(),
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.current != nil {
		h.Busy = a.current.task.Run
	}
	if m, err := rusage.ReadMachine(); err == nil {
		if d := time.Since(a.beforeAt).Seconds(); !a.beforeAt.IsZero() && d > 0 {
			h.Load = (m.Busy - a.before.Busy) / d
		}
		a.before, a.beforeAt = m, time.Now()
	}
	return h
}

func (a *Agent) answer(m *nats.Msg, what any) {
	text, err := json.Marshal(what)
	if err != nil {
		return
	}
	_ = m.Respond(text) // the coordinator's deadline tells of one that is lost
}

func (a *Agent) onClock(m *nats.Msg) {
	t := wire.Times{Came: a.clock.Now()}
	t.Answered = a.clock.Now()
	a.answer(m, t)
}

func (a *Agent) onPlan(m *nats.Msg) {
	var p wire.Piece
	err := json.Unmarshal(m.Data, &p)
	a.mu.Lock()
	defer a.mu.Unlock()
	var t *wire.Task
	if err == nil {
		t, err = a.join.Add(p)
	}
	if t != nil {
		a.task = t
	}
	a.answer(m, wire.Ready{Err: words(err)})
}

func (a *Agent) onPrepare(m *nats.Msg) {
	a.mu.Lock()
	t, busy := a.task, a.current
	a.task = nil
	a.mu.Unlock()
	switch {
	case t == nil:
		a.answer(m, wire.Ready{Err: "there is no task to prepare"})
		return
	case busy != nil:
		a.answer(m, wire.Ready{Err: "it is busy with another run"})
		return
	}
	go func() {
		j, err := a.prepare(t)
		if err != nil {
			a.o.Say("refused: " + err.Error())
			a.answer(m, wire.Ready{Err: err.Error()})
			return
		}
		a.mu.Lock()
		a.current = j
		a.mu.Unlock()
		a.answer(m, wire.Ready{Processes: j.pids()})
	}()
}

func (a *Agent) onStart(m *nats.Msg) {
	var s wire.Start
	j, err := a.asked(m, &s, &s.Run)
	if err == nil {
		err = j.begin(s)
	}
	a.answer(m, wire.Ready{Err: words(err)})
}

func (a *Agent) onStop(m *nats.Msg) {
	a.end("the coordinator ended it")
	a.answer(m, wire.Ready{})
}

// end stops what goes on.
func (a *Agent) end(why string) {
	a.mu.Lock()
	j := a.current
	a.mu.Unlock()
	if j != nil {
		j.stop(why)
		<-j.over
	}
}

func (a *Agent) finished(j *job) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.current == j {
		a.current, a.rested = nil, time.Now()
	}
}
