package model_test

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestItself: a gateway that asks the server behind it in the same process waits for itself, also
// where that server asks another service; a client of the library by which requests come in need not.
func TestItself(t *testing.T) {
	const grpc = "/go/pkg/mod/google.golang.org/grpc@v1.85.0/"
	stack := func(functions ...string) []unpark.Site {
		out := frames(functions...)
		for i := range out {
			if len(out[i].Function) > 22 && out[i].Function[:22] == "google.golang.org/grpc" {
				out[i].File = grpc + "x.go"
			}
		}
		return out
	}
	gateway := stack("runtime.selectgo", "google.golang.org/grpc/internal/transport.(*Stream).waitOnHeader", "google.golang.org/grpc.invoke", "app.level", "net/http.(*conn).serve")
	behind := stack("runtime.selectgo", "net/http.(*persistConn).roundTrip", "net/http.(*Client).do", "app.ask", "google.golang.org/grpc.(*Server).handleStream")
	direct := stack("runtime.selectgo", "net/http.(*persistConn).roundTrip", "net/http.(*Client).do", "app.ask", "net/http.(*conn).serve")
	accept := stack("internal/poll.(*FD).Accept", "net.(*netFD).accept", "net.(*TCPListener).Accept", "google.golang.org/grpc.(*Server).Serve", "main.main.func1")
	web := stack("internal/poll.(*FD).Accept", "net.(*netFD).accept", "net.(*TCPListener).Accept", "net/http.(*Server).Serve", "main.main")
	build := func(self bool, server []unpark.Site, waits ...[]unpark.Site) *model.Model {
		ev := loaded()
		ev.Window.Peers = []unpark.Peer{{Address: "127.0.0.1:9", Connections: 1, Self: self, PID: 1}, {Address: "10.0.0.1:9", Connections: 16}}
		ev.Goroutines = []facts.GoroutineGroup{{Stack: web, Idle: true}}
		if server != nil {
			ev.Goroutines = append(ev.Goroutines, facts.GoroutineGroup{Stack: server, Idle: true})
		}
		for i, w := range waits {
			ev.Waits = append(ev.Waits, facts.Wait{Class: unpark.WaitDownstream, Side: unpark.RequestPath, Waiter: w[3], Delay: 5 - float64(i), Count: 1000, Stack: w, Source: "block.pb.gz"})
		}
		return model.New(ev)
	}
	for name, c := range map[string]struct {
		m    *model.Model
		want []string
	}{
		"a gateway":                        {build(true, accept, gateway, behind), []string{"app.ask"}},
		"no connection to itself":          {build(false, accept, gateway, behind), []string{"app.level", "app.ask"}},
		"no such server here":              {build(true, nil, gateway), []string{"app.level"}},
		"by the library that requests use": {build(true, accept, direct), []string{"app.ask"}},
	} {
		var got []string
		for _, w := range c.m.Downstream {
			got = append(got, w.Function())
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: waits for others in %q, want %q", name, got, c.want)
			continue
		}
		for _, f := range c.want {
			found := false
			for _, g := range got {
				found = found || f == g
			}
			if !found {
				t.Errorf("%s: waits for others in %q, want %q", name, got, c.want)
			}
		}
	}
}
