// Guard measures `unpark guard`: of how many stalls of a service it catches, and in how many of them the
// verdict names the line that kept the lock; and, with -cost, what being armed costs the service.
//
//	go run ./labs/score/guard                            # 10 stalls of 300 ms, one every 12 s
//	go run ./labs/score/guard -every 60s -duration 10s   # one a minute
//	go run ./labs/score/guard -cost                      # armed, and beside an idle twin, in turns
//	go run ./labs/score/guard -cost -flight 10s
//	go run ./labs/score/guard -cost -share               # by the functions that compute
//	go run ./labs/score/guard -cost -idle                # what it takes of a service that does nothing
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"sync"
	"time"

	"github.com/unpark-go/unpark/labs/score/twin"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if os.Getenv(asked) != "" {
		fmt.Fprintln(os.Stderr, serve(ctx))
		os.Exit(1)
	}
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "guard:", err)
		os.Exit(1)
	}
}

type flags struct {
	stalls, pairs  int
	every, stall   time.Duration
	duration, turn time.Duration
	flight         time.Duration
	cost, byPID    bool
	idle, share    bool
	unpark, when   string
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var f flags
	set := flag.NewFlagSet("guard", flag.ContinueOnError)
	set.IntVar(&f.stalls, "stalls", 10, "how many stalls")
	set.DurationVar(&f.every, "every", 12*time.Second, "from one stall to the next")
	set.DurationVar(&f.stall, "stall", 300*time.Millisecond, "length of a stall")
	set.DurationVar(&f.duration, "duration", 2*time.Second, "of the guard's window after a trigger")
	set.DurationVar(&f.flight, "flight", 0, "of the guard")
	set.StringVar(&f.when, "when", "p99>200ms", "the guard's condition")
	set.BoolVar(&f.byPID, "pid", false, "guard by the number of the process, for a line of its log")
	set.BoolVar(&f.cost, "cost", false, "measure what being armed costs")
	set.BoolVar(&f.idle, "idle", false, "with -cost: of a service with 1,000 parked goroutines and no requests, in CPU seconds a second")
	set.BoolVar(&f.share, "share", false, "with -cost: by the functions that compute, from samples of the kernel's, in place of requests for each second of CPU")
	set.IntVar(&f.pairs, "pairs", 8, "with -cost: pairs of turns")
	set.DurationVar(&f.turn, "turn", 6*time.Second, "with -cost: length of a turn")
	set.StringVar(&f.unpark, "unpark", "", "binary; empty: it is built")
	if err := set.Parse(args); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "g")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if f.unpark == "" {
		f.unpark = filepath.Join(folder, "unpark")
		if b, err := exec.CommandContext(ctx, "go", "build", "-o", f.unpark, "github.com/unpark-go/unpark/cmd/unpark").CombinedOutput(); err != nil {
			return fmt.Errorf("build unpark: %w\n%s", err, b)
		}
	}
	if f.cost && f.idle {
		return idles(ctx, f, folder, out)
	}
	if f.cost && f.share {
		return shares(ctx, f, folder, out)
	}
	if f.cost {
		return costs(ctx, f, folder, out)
	}
	return catches(ctx, f, folder, out)
}

// service is a process of this program that serves, with a probe.
type service struct {
	*twin.Service
	socket string
}

func start(ctx context.Context, folder string) (*service, error) {
	s, err := twin.Start(ctx, asked+"=1", "UNPARK_PROBE=unix:"+folder)
	if err != nil {
		return nil, err
	}
	return &service{s, filepath.Join(folder, fmt.Sprintf("%d.sock", s.PID))}, nil
}

// load sends requests from so many clients, each with a pause after an answer, until ctx ends.
func load(ctx context.Context, url string, clients int, pause time.Duration) (wait func()) {
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for ctx.Err() == nil {
				_, _ = twin.Get(ctx, url+"/items") // what a stall does to answers is what is measured
				time.Sleep(pause)
			}
		})
	}
	return all.Wait
}
