package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/dump"
	"github.com/unpark-go/unpark/internal/measure/window"
	"github.com/unpark-go/unpark/internal/units"
)

// The pages of an endpoint that are no profile of a window: a kind's name is the
// last element of its URL.
const (
	stacksPage  = unpark.Kind("goroutine?debug=2")
	collectPage = unpark.Kind("heap?gc=1") // net/http/pprof and the probe collect before they answer
)

// watchSources connects to the endpoints. stop closes what was opened, also after
// an error.
func watchSources(ctx context.Context, addresses []string, gc bool) (sources []dump.Source, stop func(), err error) {
	var all []*window.Endpoint
	stop = func() {
		for _, e := range all {
			e.Close()
		}
	}
	for _, address := range addresses {
		e, err := window.NewEndpoint(address, watchToken())
		if err != nil {
			return nil, stop, status{exitUsage, err}
		}
		all = append(all, e)
		if err := e.Probe(ctx); err != nil {
			return nil, stop, fmt.Errorf("watch: %w", err)
		}
		sources = append(sources, watchSource(e, gc))
	}
	return sources, stop, nil
}

// watchSource reads goroutines from an endpoint.
func watchSource(e *window.Endpoint, gc bool) dump.Source {
	page := func(kind unpark.Kind) func(context.Context) ([]byte, error) {
		return func(ctx context.Context) ([]byte, error) { return e.Read(ctx, kind, 0) }
	}
	s := dump.Source{Endpoint: e.Address, PID: e.PID, Stacks: bounded(e, page(stacksPage)), Profile: page(unpark.KindGoroutine)}
	if e.Info != nil {
		s.Go, s.Module, s.Own, s.Living, s.One = e.Info.Go, e.Info.Module, e.Info.Own, e.Info.Living.Or(0), e.Info.Attached
	}
	if gc && (e.Info == nil || !e.Info.Attached) { // from outside nothing can be asked of it
		s.Leaks = func(ctx context.Context) ([]byte, error) { return leakProfile(ctx, e) }
		s.Collect = func(ctx context.Context) error {
			_, err := e.Read(ctx, collectPage, 0)
			return err
		}
	}
	return s
}

// mostDumped is how many goroutines a process may have for it to be asked for a dump of them: it
// stands still while it writes them down, 100,000 for a second or more.
const mostDumped = 100_000

// bounded asks for a dump only where that is not too much for the service.
func bounded(e *window.Endpoint, stacks func(context.Context) ([]byte, error)) func(context.Context) ([]byte, error) {
	return func(ctx context.Context) ([]byte, error) {
		if n, ok := e.Goroutines(ctx); ok && n > mostDumped {
			return nil, fmt.Errorf("dump the goroutines of %s: it has %s, and would stand still for seconds to write them down: watch it by --pid on its own machine, which reads %s of them without stopping it",
				e.Address, units.Say(float64(n), "count"), units.Say(mostDumped, "count"))
		}
		return stacks(ctx)
	}
}

// leakProfile says in words when the service has none.
func leakProfile(ctx context.Context, e *window.Endpoint) ([]byte, error) {
	body, err := e.Read(ctx, unpark.KindGoroutineLeak, 0)
	if err != nil && strings.Contains(err.Error(), "status 404") {
		return nil, errors.New("the service has no goroutineleak profile: Go 1.27 has it, Go 1.26 when built with GOEXPERIMENT=goroutineleakprofile")
	}
	return body, err
}
