package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/unpark-go/unpark/labs/score/twin"
)

// loaded starts a service that a load fills, and its twin, which is idle. End ends what was started, whatever the error is.
func loaded(ctx context.Context, f flags, folder string) (both [2]*service, end func(), err error) {
	loading, stop := context.WithCancel(ctx)
	var ends []func()
	end = func() {
		stop()
		for _, e := range slices.Backward(ends) {
			e()
		}
	}
	for i := range both {
		s, err := start(ctx, folder)
		if err != nil {
			return both, end, err
		}
		ends, both[i] = append(ends, func() { _ = s.End() }), s
	}
	load := exec.CommandContext(loading, f.unpark, "load", "-q", "-c", "16", "-d", "1h", both[0].URL+"/items")
	if err := load.Start(); err != nil {
		return both, end, err
	}
	ends = append(ends, func() { _ = load.Wait() })
	return both, end, nil
}

// costs compares requests for each second of the service's own CPU while a guard is armed on it with the
// same while the guard is armed on an idle twin: what the guard itself computes is in both.
func costs(ctx context.Context, f flags, folder string, out io.Writer) error {
	both, end, err := loaded(ctx, f, folder)
	defer end()
	if err != nil {
		return err
	}
	time.Sleep(2 * time.Second)
	var ratios []float64
	for i := range f.pairs {
		got := [2]float64{}
		for _, at := range [][]int{{0, 1}, {1, 0}}[i%2] {
			v, err := turn(ctx, f, folder, both[0], both[at])
			if err != nil {
				return err
			}
			got[at] = v
		}
		ratios = append(ratios, got[0]/got[1])
		fmt.Fprintf(out, "pair %d: %.0f requests a second of CPU armed, %.0f with its twin armed: ×%.4f\n", i+1, got[0], got[1], got[0]/got[1])
	}
	fmt.Fprintf(out, "%d pairs, flight recorder %v, %d processors: %s\n", len(ratios), f.flight, runtime.NumCPU(), twin.Quartiles(ratios))
	return nil
}

// turn arms a guard on one service and measures another.
func turn(ctx context.Context, f flags, folder string, measured, armed *service) (float64, error) {
	g, err := arm(ctx, f, "--when", "p99>1000s", "--pprof", "unix://"+armed.socket, "--out", filepath.Join(folder, "catches"))
	if err != nil {
		return 0, err
	}
	defer func() { _ = g.end() }()
	requests, cpu, err := measured.Used(ctx)
	if err != nil {
		return 0, err
	}
	time.Sleep(f.turn)
	after, cpuAfter, err := measured.Used(ctx)
	return (after - requests) / (cpuAfter - cpu), err
}

// idles measures the CPU that a service takes which does nothing but being guarded.
func idles(ctx context.Context, f flags, folder string, out io.Writer) error {
	var both [2]*service
	for i := range both {
		s, err := start(ctx, folder)
		if err != nil {
			return err
		}
		defer s.End()
		both[i] = s
	}
	g, err := arm(ctx, f, "--when", "p99>1000s", "--pprof", "unix://"+both[0].socket, "--out", filepath.Join(folder, "catches"))
	if err != nil {
		return err
	}
	defer func() { _ = g.end() }()
	time.Sleep(5 * time.Second)
	var first, last [2]float64
	for _, at := range []*[2]float64{&first, &last} {
		for i, s := range both {
			if _, at[i], err = s.Used(ctx); err != nil {
				return err
			}
		}
		if at == &first {
			time.Sleep(10 * f.turn)
		}
	}
	per := func(i int) float64 { return (last[i] - first[i]) / (10 * f.turn).Seconds() }
	fmt.Fprintf(out, "armed %.5f of a core, its twin %.5f, over %v (flight recorder %v, %d processors)\n", per(0), per(1), 10*f.turn, f.flight, runtime.NumCPU())
	return nil
}
