package main

import (
	"encoding/json"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"

	"github.com/unpark-go/unpark/labs/broker/api"
	"github.com/unpark-go/unpark/labs/broker/rpc"
	"github.com/unpark-go/unpark/labs/broker/store"
)

// broker serves a single node and returns its -nodes.
func broker(t *testing.T) string {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var counts store.Counts
	e, err := store.New(store.Coalesce, s, 2, &counts)
	if err != nil {
		t.Fatal(err)
	}
	service := api.NewService(e, 2)
	web := httptest.NewUnstartedServer(nil)
	url := "http://" + web.Listener.Addr().String()
	web.Config.Handler = api.Handler(service, url, counts.Read)
	web.Start()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	streams := grpc.NewServer()
	rpc.RegisterBrokerServer(streams, api.Stream(service))
	go streams.Serve(l)
	t.Cleanup(func() {
		streams.Stop()
		web.Close()
		e.Close()
		s.Close()
	})
	return url + "=" + l.Addr().String()
}

// driven drives for as long as a busy machine needs for one cycle, which is nearly always
// a fifth of a second.
func driven(t *testing.T, nodes, transport string) (r result, text string) {
	t.Helper()
	for length := 200 * time.Millisecond; length < 20*time.Second; length *= 2 {
		var out, said strings.Builder
		args := []string{"-nodes", nodes, "-transport", transport, "-workers", "4", "-warmup", "10ms", "-duration", length.String()}
		if status := run(t.Context(), args, &out, &said); status != 0 {
			t.Fatalf("status %d: %s", status, said.String())
		}
		r, text = result{}, out.String()
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
		if r.Cycles > 0 {
			break
		}
	}
	return r, text
}

func TestDrive(t *testing.T) {
	nodes := broker(t)
	for _, transport := range []string{"default", "tuned", "grpc"} {
		t.Run(transport, func(t *testing.T) {
			r, out := driven(t, nodes, transport)
			if r.Cycles == 0 || len(r.Nodes) != 1 || r.Nodes[0].Cycles == 0 || len(r.Account.Errors) > 0 ||
				r.Account.Created != r.Account.Completed || (r.Connections == 0) != (transport == "grpc") {
				t.Errorf("%s", out)
			}
		})
	}
}

func TestBadArguments(t *testing.T) {
	for _, tt := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"-workers", "0"}, 2, "at least one worker"},
		{[]string{"now"}, 2, "no argument"},
		{[]string{"-transport", "pigeon"}, 1, `"pigeon" is unknown`},
	} {
		var out, said strings.Builder
		if got := run(t.Context(), tt.args, &out, &said); got != tt.status || !strings.Contains(said.String(), tt.says) {
			t.Errorf("%v: status %d, said %q; want %d and %q", tt.args, got, said.String(), tt.status, tt.says)
		}
	}
}
