// Attach measures what it costs a service to be read from outside: requests for each second of
// the service's own CPU while `unpark attach` reads it, against the same while it reads an idle twin of the service, in
// turns. What unpark computes beside it is in both, so that only what is done to the service differs.
//
//	go run ./labs/score/attach                          # 12 pairs, 4 minutes
//	go run ./labs/score/attach -goroutines 1000000
//
// It prints each pair, and the median of the ratios with their quartiles.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/unpark-go/unpark/labs/score/twin"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if parked, ok := os.LookupEnv(asked); ok {
		fmt.Fprintln(os.Stderr, serve(ctx, parked))
		os.Exit(1)
	}
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "attach:", err)
		os.Exit(1)
	}
}

// asked is the variable that has this program be the service: how many goroutines are parked in it.
const asked = "ATTACH_PARKED"

func parkedIn(goroutines int) string { return asked + "=" + strconv.Itoa(goroutines) }

// serve answers requests that compute and allocate a little, on the listener that it was started with,
// beside goroutines that are parked.
func serve(ctx context.Context, parked string) error {
	n, err := strconv.Atoi(parked)
	if err != nil {
		return err
	}
	l, err := twin.Listener()
	if err != nil {
		return err
	}
	for range n {
		go func() { <-ctx.Done() }()
	}
	var answered atomic.Int64
	http.HandleFunc("/answered", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, answered.Load()) })
	words := strings.Fields(strings.Repeat("a service that is read from outside ", 40))
	http.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		answered.Add(1)
		own := slices.Clone(words)
		slices.Sort(own)
		_ = json.NewEncoder(w).Encode(own) // a client that has gone is no concern
	})
	return http.Serve(l, nil)
}

type flags struct {
	pairs, goroutines int
	window            time.Duration
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var f flags
	set := flag.NewFlagSet("attach", flag.ContinueOnError)
	set.IntVar(&f.pairs, "pairs", 12, "how many pairs of turns")
	set.IntVar(&f.goroutines, "goroutines", 0, "goroutines that are parked in the service")
	set.DurationVar(&f.window, "window", 8*time.Second, "length of a turn")
	if err := set.Parse(args); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "attach-cost-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	unpark := filepath.Join(folder, "unpark")
	if b, err := exec.CommandContext(ctx, "go", "build", "-o", unpark, "github.com/unpark-go/unpark/cmd/unpark").CombinedOutput(); err != nil {
		return fmt.Errorf("build unpark: %w\n%s", err, b)
	}
	loaded, err := twin.Start(ctx, parkedIn(f.goroutines))
	if err != nil {
		return err
	}
	defer loaded.End()
	idle, err := twin.Start(ctx, parkedIn(f.goroutines))
	if err != nil {
		return err
	}
	defer idle.End()
	var ratios []float64
	for i := range f.pairs {
		pair := [2]*twin.Service{loaded, idle}
		if i%2 == 1 {
			pair[0], pair[1] = pair[1], pair[0]
		}
		got := map[*twin.Service]float64{}
		for _, attached := range pair {
			if got[attached], err = turn(ctx, unpark, filepath.Join(folder, strconv.Itoa(i)), loaded, attached, f.window); err != nil {
				return err
			}
		}
		ratios = append(ratios, got[loaded]/got[idle])
		fmt.Fprintf(out, "pair %d: %.0f requests a second of CPU attached, %.0f with its twin attached: ×%.3f\n", i+1, got[loaded], got[idle], got[loaded]/got[idle])
	}
	fmt.Fprintf(out, "%d pairs, %d parked goroutines, %d processors: %s\n", len(ratios), f.goroutines, runtime.NumCPU(), twin.Quartiles(ratios))
	return nil
}

// turn loads one service while unpark is attached to it or to another, and returns the requests
// that it answered for each second of its CPU meanwhile.
func turn(ctx context.Context, unpark, folder string, loaded, attached *twin.Service, window time.Duration) (float64, error) {
	ctx, cancel := context.WithTimeout(ctx, window+2*time.Minute)
	defer cancel()
	load := exec.CommandContext(ctx, unpark, "load", "-d", (window + 30*time.Second).String(), "-c", "32", loaded.URL+"/")
	if err := load.Start(); err != nil {
		return 0, err
	}
	defer func() {
		_ = load.Process.Signal(os.Interrupt) // it is in the middle, and may end there
		_ = load.Wait()
	}()
	time.Sleep(3 * time.Second) // connections are open, and caches warm
	requests, cpu, err := loaded.Used(ctx)
	if err != nil {
		return 0, err
	}
	pid := strconv.Itoa(attached.PID)
	if b, err := exec.CommandContext(ctx, unpark, "attach", "--pid", pid, "--duration", window.String(), "--out", folder+"-"+pid).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("attach: %w\n%s", err, b)
	}
	after, cpuAfter, err := loaded.Used(ctx)
	return (after - requests) / (cpuAfter - cpu), err
}
