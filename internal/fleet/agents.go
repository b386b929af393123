package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/clock"
	"github.com/unpark-go/unpark/internal/fleet/hub"
	"github.com/unpark-go/unpark/internal/fleet/wire"
)

// Fleet is a coordinator's connection to its agents.
type Fleet struct {
	server  *hub.Server // nil with the user's own
	nc      *nats.Conn
	kv      jetstream.KeyValue
	objects jetstream.ObjectStore
	clock   *clock.Clock
}

// Options says where agents are met.
type Options struct {
	Address  string       // of the user's NATS; empty: unpark serves its own
	Join     hub.Join     // for Address; may be empty
	Identity hub.Identity // of a server of our own
	Listen   string       // where that listens
}

// Open connects to NATS, or serves it.
func Open(ctx context.Context, o Options) (f *Fleet, err error) {
	f = &Fleet{clock: clock.New(0)}
	defer func() {
		if err != nil {
			f.Close()
			f = nil
		}
	}()
	if o.Address == "" {
		if f.server, err = hub.Serve(o.Identity, o.Listen); err != nil {
			return f, err
		}
		f.nc, err = f.server.Connect()
	} else {
		f.nc, err = o.Join.DialCoordinator(o.Address)
	}
	if err != nil {
		return f, err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*askWithin)
	defer cancel()
	f.kv, f.objects, err = hub.Buckets(ctx, f.nc)
	return f, err
}

// URL is where agents find a server of our own; empty with the user's.
func (f *Fleet) URL() string {
	if f.server == nil {
		return ""
	}
	return f.server.URL()
}

// cut is why the coordinator has lost its own link; empty where it has it.
func (f *Fleet) cut() string {
	why := "the coordinator's own link to the NATS server is cut"
	if f.nc.IsConnected() {
		return ""
	} else if err := hub.Trouble(f.nc, f.nc.Opts.Url); err != nil {
		return why + ": " + err.Error()
	}
	return why + ": is that server up?"
}

// Close ends the connection, and a server of our own.
func (f *Fleet) Close() {
	if f.nc != nil {
		f.nc.Close()
	}
	if f.server != nil {
		f.server.Close()
	}
}

// Agent is one of the register.
type Agent struct {
	wire.Hello
	Clock   clock.Offset
	Refused string // why it cannot take part; empty when it can

	looked time.Time // when its clock was compared
}

// Agents lists the register by name, each with its clock compared. A register that has just
// been made is empty until agents write themselves into it: they have patience to do so on a server of
// our own, and on the user's where it lists none, for it is new to unpark or was restarted.
func (f *Fleet) Agents(ctx context.Context, patience time.Duration) ([]Agent, error) {
	found, err := f.register(ctx)
	if err != nil {
		return nil, err
	}
	if patience > 0 && (f.server != nil || len(found) == 0) {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(patience):
		}
		if found, err = f.register(ctx); err != nil {
			return nil, err
		}
	}
	var wg sync.WaitGroup
	for i := range found {
		wg.Go(func() { f.look(ctx, &found[i]) })
	}
	wg.Wait()
	return found, nil
}

// register reads what agents said of themselves; clocks are not compared.
func (f *Fleet) register(ctx context.Context) ([]Agent, error) {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	names, err := f.kv.Keys(ctx)
	if errors.Is(err, jetstream.ErrNoKeysFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the register of agents: %w", err)
	}
	slices.Sort(names)
	var out []Agent
	for _, name := range names {
		e, err := f.kv.Get(ctx, name)
		if err != nil {
			continue // it left in the meantime
		}
		var a Agent
		if err := json.Unmarshal(e.Value(), &a.Hello); err != nil || a.Name != name || !wire.Valid(name) {
			a = Agent{Refused: "what it says of itself cannot be read"}
			a.Name = name
		}
		switch {
		case a.Refused != "":
		case a.Schema != wire.Schema:
			a.Refused = fmt.Sprintf("it speaks %q, and this unpark %q: install the same version", a.Schema, wire.Schema)
		case a.Run != unpark.SchemaRun:
			a.Refused = fmt.Sprintf("its documents are %q, and ours %q: install the same version", a.Run, unpark.SchemaRun)
		}
		out = append(out, a)
	}
	return out, nil
}

// look compares an agent's clock.
func (f *Fleet) look(ctx context.Context, a *Agent) {
	if a.Refused != "" {
		return
	}
	o, err := f.compare(ctx, a.Name)
	switch {
	case err != nil:
		a.Refused = err.Error()
	case o.Spread > MaxSpread:
		a.Refused = fmt.Sprintf("its clock is known to ±%v, more than %v: is the link busy?", o.Spread.Round(time.Microsecond), MaxSpread)
	}
	a.Clock, a.looked = o, time.Now()
}

// Choose waits until the agents that are wanted are there: a number of them, or names with
// commas between them.
func (f *Fleet) Choose(ctx context.Context, want string, patience time.Duration) ([]Agent, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	n, names, err := wanted(want)
	if err != nil {
		return nil, err
	}
	for {
		found, err := f.register(ctx)
		if err != nil && ctx.Err() == nil {
			return nil, err
		}
		chosen, missing := pick(found, n, names)
		if missing == "" {
			var wg sync.WaitGroup
			for i := range chosen {
				wg.Go(func() { f.look(ctx, &chosen[i]) })
			}
			wg.Wait()
			for _, a := range chosen {
				if a.Refused != "" {
					return nil, fmt.Errorf("agent %s is refused: %s", a.Name, a.Refused)
				}
			}
			return chosen, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for agents: %s after %v: start `unpark agent --join …` on the machines that are missing; `unpark agents` lists those that are known", missing, patience)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func wanted(want string) (n int, names []string, err error) {
	if n, err := strconv.Atoi(want); err == nil {
		if n < 1 {
			return 0, nil, fmt.Errorf("--agents %s: name at least one", want)
		}
		return n, nil, nil
	}
	for name := range strings.SplitSeq(want, ",") {
		name = strings.TrimSpace(name)
		if !wire.Valid(name) || slices.Contains(names, name) {
			return 0, nil, fmt.Errorf("--agents %q: write a number, or names of agents with commas between them, each once", want)
		}
		names = append(names, name)
	}
	return len(names), names, nil
}

// pick chooses of those that can; missing says who is not there.
func pick(found []Agent, n int, names []string) (chosen []Agent, missing string) {
	var refused []string
	for _, a := range found {
		named := slices.Contains(names, a.Name)
		switch {
		case len(names) > 0 && !named:
		case a.Refused != "" && !named:
			refused = append(refused, a.Name+" is refused: "+a.Refused)
		case a.Busy != "" && !named:
			refused = append(refused, a.Name+" is busy")
		case len(chosen) < n:
			chosen = append(chosen, a)
		}
	}
	if len(chosen) == n {
		return chosen, ""
	}
	missing = fmt.Sprintf("%d of %d are there", len(chosen), n)
	for _, name := range names {
		if !slices.ContainsFunc(chosen, func(a Agent) bool { return a.Name == name }) {
			refused = append(refused, name+" is not there")
		}
	}
	if len(refused) > 0 {
		missing += " (" + strings.Join(refused, "; ") + ")"
	}
	return chosen, missing
}
