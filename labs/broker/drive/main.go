// Drive loads a broker with cycles of create, claim and complete, counts what was
// acknowledged and what became of it, and prints both beside what the nodes counted
// as JSON. See README.md in the broker's folder.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/unpark-go/unpark/labs/broker/api"
	"github.com/unpark-go/unpark/labs/broker/client"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

type config struct {
	urls             []string
	streams          map[string]string
	transport        string
	workers          int
	warmup, duration time.Duration
	lease            time.Duration
}

func parse(args []string, stderr io.Writer) (config, error) {
	c := config{urls: []string{"http://127.0.0.1:8080"}}
	flags := flag.NewFlagSet("drive", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Func("nodes", "nodes as URL or URL=host:port of its gRPC streams, separated by commas (default http://127.0.0.1:8080)", func(s string) error {
		c.urls, c.streams = nil, map[string]string{}
		for one := range strings.SplitSeq(s, ",") {
			url, addr, _ := strings.Cut(one, "=")
			c.urls = append(c.urls, url)
			if addr != "" {
				c.streams[url] = addr
			}
		}
		return nil
	})
	flags.StringVar(&c.transport, "transport", client.Tuned, "default (net/http's: two idle connections per host), tuned, or grpc")
	flags.IntVar(&c.workers, "workers", 32, "cycles under way")
	flags.DurationVar(&c.warmup, "warmup", 2*time.Second, "before counting begins")
	flags.DurationVar(&c.duration, "duration", 15*time.Second, "of counting")
	flags.DurationVar(&c.lease, "lease", 5*time.Second, "of claims")
	if err := flags.Parse(args); err != nil {
		return c, err
	}
	if flags.NArg() > 0 || c.workers < 1 || c.duration <= 0 {
		err := errors.New("give at least one worker, a duration, and no argument beside the flags")
		fmt.Fprintf(stderr, "drive: %v\n", err)
		return c, err
	}
	return c, nil
}

// run drives and returns the exit status: 3 when a task is missing.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, err := parse(args, stderr)
	if err != nil {
		return 2
	}
	r, err := drive(ctx, c)
	if err != nil {
		fmt.Fprintf(stderr, "drive: %v\n", err)
		return 1
	}
	e := json.NewEncoder(stdout)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		fmt.Fprintf(stderr, "drive: write the result: %v\n", err)
		return 1
	}
	if len(r.Account.Missing) > 0 {
		return 3
	}
	return 0
}

// result is what is printed.
type result struct {
	Transport   string           `json:"transport"`
	Workers     int              `json:"workers"`
	Seconds     float64          `json:"seconds"`
	Cycles      int64            `json:"cycles"`
	PerSecond   float64          `json:"cycles_per_second"`
	Connections int64            `json:"connections_opened"` // over HTTP, with the warm-up
	Retries     int              `json:"retries"`
	Nodes       []api.StatsReply `json:"nodes"`   // in the same seconds, in the order of -nodes; seconds 0 where there was no answer
	Account     client.Account   `json:"account"` // with warm-up and drain
}

// clients makes one client for each worker.
func clients(ctx context.Context, c config) (out []*client.Client, opened *atomic.Int64, closeAll func(), err error) {
	opened, closeAll = new(atomic.Int64), func() {}
	var dial client.Dial
	if c.transport == "grpc" {
		streams, err := client.GRPC(c.streams)
		if err != nil {
			return nil, nil, nil, err
		}
		dial, closeAll = streams.Dial, func() { streams.Close() }
	} else if dial, opened, err = client.HTTP(c.transport, c.workers); err != nil {
		return nil, nil, nil, err
	}
	ready, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for range c.workers {
		one, err := client.New(ready, c.urls, dial)
		if err != nil {
			closeAll()
			return nil, nil, nil, err
		}
		out = append(out, one)
	}
	return out, opened, closeAll, nil
}

func drive(ctx context.Context, c config) (result, error) {
	all, opened, closeAll, err := clients(ctx, c)
	if err != nil {
		return result{}, err
	}
	defer closeAll()
	var ledger client.Ledger
	var cycles atomic.Int64
	var counting atomic.Bool
	working, stop := context.WithCancel(ctx)
	defer stop()
	var workers sync.WaitGroup
	run := fmt.Sprintf("%d/%d", os.Getpid(), time.Now().UnixNano())
	for w, one := range all {
		workers.Go(func() {
			for i := 0; working.Err() == nil; i++ {
				if ledger.Cycle(ctx, one, fmt.Sprintf("%s/%d/%d", run, w, i), c.lease) && counting.Load() {
					cycles.Add(1)
				}
			}
		})
	}
	wait(ctx, c.warmup)
	before := stats(ctx, c.urls)
	counting.Store(true)
	start := time.Now()
	wait(ctx, c.duration)
	counting.Store(false)
	seconds := time.Since(start).Seconds()
	after := stats(ctx, c.urls)
	stop()
	workers.Wait()
	drained, cancel := context.WithTimeout(ctx, 10*time.Second+2*c.lease)
	defer cancel()
	ledger.Drain(drained, all[0], c.lease)
	r := result{
		Transport: c.transport, Workers: c.workers, Seconds: seconds, Cycles: cycles.Load(),
		PerSecond: float64(cycles.Load()) / seconds, Connections: opened.Load(), Account: ledger.Account(),
	}
	for i := range after {
		r.Nodes = append(r.Nodes, api.Between(before[i], after[i]))
	}
	for _, one := range all {
		r.Retries += one.Retries
		one.Close()
	}
	return r, nil
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// stats asks every node for its totals.
func stats(ctx context.Context, urls []string) []api.StatsReply {
	out := make([]api.StatsReply, len(urls))
	for i, url := range urls {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/stats", nil)
		if err == nil {
			if resp, err := http.DefaultClient.Do(req); err == nil {
				if json.NewDecoder(resp.Body).Decode(&out[i]) != nil {
					out[i] = api.StatsReply{}
				}
				resp.Body.Close()
			}
		}
		cancel()
	}
	return out
}
