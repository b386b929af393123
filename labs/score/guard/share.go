package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/inspect"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

const (
	// hertz is how often the kernel samples the service, for each second that a thread computes.
	hertz = 1000
	// settled is how long a guard is armed before it is measured: its first readings are behind it.
	settled = 7 * time.Second
)

// parts is what a service's CPU went to, in samples.
type parts struct {
	all    float64
	agent  float64 // serving what the guard reads
	pages  pages   // of agent
	timing float64 // requests, by the middleware
	rates  float64 // recording waits at the rates that were lent
}

func (p parts) guard() float64 { return p.agent + p.timing + p.rates }

// pages is what the agent's part went to.
type pages struct{ goroutines, allocs, waits, metrics, vitals float64 }

// add counts n for the page that a function serves, if it serves one.
func (p *pages) add(in, function string, n float64) {
	switch {
	case in == "runtime/pprof" && strings.HasPrefix(function, "writeGoroutine"):
		p.goroutines += n
	case in == "runtime/pprof" && (function == "writeAlloc" || function == "writeHeap"):
		p.allocs += n
	case in == "runtime/pprof" && (function == "writeBlock" || function == "writeMutex"):
		p.waits += n
	case in == ours+"/agent" && strings.HasSuffix(function, ".metrics"):
		p.metrics += n
	case in == ours+"/agent" && strings.HasSuffix(function, "follower).line"):
		p.vitals += n
	}
}

// add sorts a stack, leaf first: by the innermost function that is of no standard package, unless the runtime records a wait there.
func (p *parts) add(stack []unpark.Site, n float64) {
	p.all += n
	served := false // by net/http, which the middleware calls with the next handler
	for _, s := range stack {
		switch in, function := split(s.Function); {
		case in == "net/http":
			served = true
		case in == ours && strings.Contains(function, "marker") && served:
			return
		case in == "runtime" && recording(function):
			p.rates += n
			return
		case in == ours && strings.Contains(function, "marker"), in == ours+"/agent" && times(function):
			p.timing += n
			return
		case in == ours+"/agent":
			p.agent += n
			for _, s := range stack {
				in, function := split(s.Function)
				p.pages.add(in, function, n)
			}
			return
		case !standard(in):
			return
		}
	}
}

const ours = "github.com/unpark-go/unpark/probe"

// times reports whether a function of the agent is one that times requests, as the compiler leaves it between the middleware and the clock.
func times(function string) bool {
	for _, of := range []string{"Timer)", "state).since", "sample)", "sample).keep", "here", "instant"} {
		if strings.HasSuffix(function, of) || strings.Contains(function, of+".") {
			return true
		}
	}
	return false
}

// split parts a function's package from its name in there; the kernel's functions are in none.
func split(function string) (in, name string) {
	in = unpark.PackageOf(function)
	return in, strings.TrimPrefix(strings.TrimPrefix(function, in), ".")
}

// recording reports whether a function of the runtime records a wait (runtime/mprof.go).
func recording(function string) bool {
	switch function {
	case "blockevent", "mutexevent", "saveblockevent", "saveBlockEventStack", "blocksampled":
		return true
	}
	return strings.Contains(function, "mLockProfile")
}

// standard reports whether a package is of Go itself; the kernel's functions are in none.
func standard(in string) bool {
	first, _, _ := strings.Cut(in, "/")
	return in != "main" && !strings.Contains(first, ".")
}

// shares samples the CPU of a service under a load that fills it, while a guard is armed on it and while it is armed on its idle
// twin, in turns, and tells what part the guard has by the functions that compute. Differences between turns, which scatter by
// more than it costs, are in none of these figures.
func shares(ctx context.Context, f flags, folder string, out io.Writer) error {
	both, end, err := loaded(ctx, f, folder)
	defer end()
	if err != nil {
		return err
	}
	watched, err := inspect.Open(both[0].PID)
	if err != nil {
		return fmt.Errorf("sample the service: %w", err)
	}
	var sums [2]parts
	var requests, cpu [2]float64
	for i := range f.pairs {
		for _, at := range [][]int{{0, 1}, {1, 0}}[i%2] {
			if err := sample(ctx, f, folder, both, at, watched, &sums[at], &requests[at], &cpu[at]); err != nil {
				return err
			}
		}
	}
	for i, name := range []string{"armed", "its twin armed"} {
		p := sums[i]
		each := cpu[i] / requests[i] * 1e6
		share := p.guard() / p.all
		fmt.Fprintf(out, "%s: %.0f samples, %.1f µs a request; of it the guard %.3f %% ± %.3f (agent %.3f, timing %.3f, recording %.3f), %.3f µs a request\n",
			name, p.all, each, 100*share, 196*math.Sqrt(share*(1-share)/p.all), 100*p.agent/p.all, 100*p.timing/p.all, 100*p.rates/p.all, share*each)
		fmt.Fprintf(out, "  of the agent's: goroutines %.3f, allocations %.3f, waits %.3f, metrics %.3f, vitals %.3f\n",
			100*p.pages.goroutines/p.all, 100*p.pages.allocs/p.all, 100*p.pages.waits/p.all, 100*p.pages.metrics/p.all, 100*p.pages.vitals/p.all)
	}
	fmt.Fprintf(out, "%d turns of %v each, flight recorder %v, %d processors, %s\n", f.pairs, f.turn, f.flight, runtime.NumCPU(), runtime.Version())
	return nil
}

// sample arms a guard on one of both and samples the first meanwhile.
func sample(ctx context.Context, f flags, folder string, both [2]*service, at int, watched *inspect.Process, sum *parts, requests, cpu *float64) error {
	g, err := arm(ctx, f, "--when", "p99>1000s", "--pprof", "unix://"+both[at].socket, "--out", filepath.Join(folder, "catches"))
	if err != nil {
		return err
	}
	defer func() { _ = g.end() }()
	time.Sleep(settled)
	before, used, err := both[0].Used(ctx)
	if err != nil {
		return err
	}
	text, err := watched.CPU(ctx, f.turn, inspect.Sampling{Hertz: hertz, Kernel: true})
	if err != nil {
		return err
	}
	after, usedAfter, err := both[0].Used(ctx)
	if err != nil {
		return err
	}
	*requests, *cpu = *requests+after-before, *cpu+usedAfter-used
	p, err := profile.Decode(bytes.NewReader(text), unpark.KindCPU, "the service's CPU")
	if err != nil {
		return err
	}
	for _, s := range p.Samples() {
		sum.add(s.Stack, s.Count)
	}
	return nil
}
