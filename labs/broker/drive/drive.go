package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/unpark-go/unpark/labs/broker/api"
	"github.com/unpark-go/unpark/labs/broker/client"
)

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

// drive loads the broker and draws up the account.
func drive(ctx context.Context, c config) (result, error) {
	all, opened, closeAll, err := clients(ctx, c)
	if err != nil {
		return result{}, err
	}
	defer closeAll()
	var l load
	working, stop := context.WithCancel(ctx)
	defer stop()
	l.start(ctx, working, all, c.lease)
	wait(ctx, c.warmup)
	before := stats(ctx, c.urls)
	cycles, start := l.cycles.Load(), time.Now()
	wait(ctx, c.duration)
	r := result{
		Transport: c.transport, Workers: c.workers, Seconds: time.Since(start).Seconds(),
		Cycles: l.cycles.Load() - cycles, Connections: opened.Load(),
	}
	after := stats(ctx, c.urls)
	stop()
	l.workers.Wait()
	r.PerSecond = float64(r.Cycles) / r.Seconds
	for i := range after {
		r.Nodes = append(r.Nodes, after[i].Since(before[i]))
	}
	drained, cancel := context.WithTimeout(ctx, 10*time.Second+2*c.lease)
	defer cancel()
	l.ledger.Drain(drained, all[0], c.lease)
	r.Account = l.ledger.Account()
	for _, one := range all {
		r.Retries += one.Retries
		one.Close()
	}
	return r, nil
}

// load is workers that cycle.
type load struct {
	ledger  client.Ledger
	cycles  atomic.Int64
	workers sync.WaitGroup
}

// start runs a worker for each client until working is done. Calls that are under
// way then are finished, unless ctx is done as well.
func (l *load) start(ctx, working context.Context, all []*client.Client, lease time.Duration) {
	run := fmt.Sprintf("%d/%d", os.Getpid(), time.Now().UnixNano())
	for w, one := range all {
		l.workers.Go(func() {
			for i := 0; working.Err() == nil; i++ {
				if l.ledger.Cycle(ctx, one, fmt.Sprintf("%s/%d/%d", run, w, i), lease) {
					l.cycles.Add(1)
				}
			}
		})
	}
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
