package main

import (
	"context"
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/unpark-go/unpark/internal/rota"
	"github.com/unpark-go/unpark/labs/broker/client"
	"github.com/unpark-go/unpark/labs/broker/rpc"
	"github.com/unpark-go/unpark/probe/probetest"
)

// length is of the window: long enough to see that everything is captured. What is to be
// diagnosed takes 15s.
var length = flag.Duration("window", time.Second, "length of the captured window; its warm-up takes as long, at most 2s")

// TestHarness captures the broker inside go test, as one does for a service that
// has a load test already: 32 workers over HTTP, 64 over streams. Workers and broker are one process here: the CPU of both is in
// one profile, while their waits stay apart by their stacks.
//
//	go test -run TestHarness -v ./labs/broker -window 15s && unpark diagnose labs/broker/testdata/unpark/http-001
func TestHarness(t *testing.T) {
	if testing.Short() {
		t.Skip("takes two windows of load")
	}
	for i, tt := range []struct {
		name    string
		workers int
	}{{"http", 32}, {"grpc", 64}} {
		if !rota.On(i, 2) {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			calls := inProcess(t, tt.name, tt.workers)
			probetest.Run(t, tt.name, probetest.Options{Workers: tt.workers, Window: *length, Warmup: min(*length, 2*time.Second)}, func(worker int) {
				if err := calls(worker); err != nil {
					t.Error(err)
					t.FailNow()
				}
			})
		})
	}
}

// inProcess starts a single node with the direct engine in this process, and returns
// what makes one cycle.
func inProcess(t *testing.T, transport string, workers int) func(worker int) error {
	t.Helper()
	addrs, dir := free(t, 2), t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	said := &announced{ready: make(chan struct{})}
	go func() {
		ended <- run(ctx, []string{"-addr", addrs[0], "-grpc", addrs[1], "-dir", dir, "-commit", "direct"}, said)
	}()
	t.Cleanup(func() {
		cancel()
		if status := <-ended; status != 0 {
			t.Errorf("the broker ended with status %d", status)
		}
	})
	<-said.ready
	url := "http://" + addrs[0]
	dial, _, err := client.HTTP(client.Tuned, workers)
	if transport == "grpc" {
		var streams *client.Streams
		if streams, err = client.GRPC(map[string]string{url: addrs[1]}); err == nil {
			t.Cleanup(func() { streams.Close() })
			dial = streams.Dial
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	nodes := make([]client.Node, workers)
	for i := range nodes {
		if nodes[i], err = dial(url); err != nil {
			t.Fatal(err)
		}
	}
	call := &rpc.Call{Call: &rpc.Call_Cycle{Cycle: &rpc.Cycle{}}}
	return func(worker int) error {
		r, err := nodes[worker].Do(context.Background(), call)
		if f := r.GetFailure(); err == nil && f != nil {
			err = fmt.Errorf("%s", f.GetText())
		}
		return err
	}
}

// announced is a writer that is told when the broker serves, which is the first thing
// that it says.
type announced struct{ ready chan struct{} }

func (a *announced) Write(b []byte) (int, error) {
	select {
	case <-a.ready:
	default:
		close(a.ready)
	}
	return len(b), nil
}
