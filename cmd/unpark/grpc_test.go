package main

import (
	"context"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"

	"github.com/unpark-go/unpark"
)

// TestReflectionInterrupted: a server that accepts and never answers is waited for
// until Ctrl-C, not for as long as reflection may take.
func TestReflectionInterrupted(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	ctx, interrupt := context.WithCancel(t.Context())
	go func() {
		if c, err := server.Accept(); err == nil {
			interrupt()
			_, _ = c.Read(make([]byte, 1<<20)) // until the other side hangs up
		}
	}()
	u := &url.URL{Scheme: "grpc", Host: server.Addr().String(), Path: "/shop.Cart/Add"}
	if _, err := new(loadFlags).call(ctx, u, nil, nil); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("%v", err)
	}
}

// TestReflectionAfterTheStart: a service that unpark is to start is asked for its methods
// when it answers, not before.
func TestReflectionAfterTheStart(t *testing.T) {
	reserved, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := reserved.Addr().String()
	reserved.Close()
	r := runFlags{load: loadFlags{
		urls: []string{"grpc://" + address + "/grpc.health.v1.Health/Check"}, body: "{}", given: func(string) bool { return false },
		duration: time.Second, timeout: time.Second,
	}}
	r.target.given, r.experiment.given = r.load.given, r.load.given
	started := adopted{args: []string{"./service"}}
	planned, err := r.plan(t.Context(), started)
	if err != nil {
		t.Fatal(err)
	}
	config, err := r.config(planned, started)
	if err != nil || config.Prepare == nil {
		t.Fatalf("nothing is there yet, and nothing was asked of it: %v", err)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Skipf("the port was taken meanwhile: %v", err)
	}
	server := grpc.NewServer()
	healthpb.RegisterHealthServer(server, health.NewServer())
	reflection.Register(server)
	go func() { _ = server.Serve(listener) }()
	defer server.Stop()
	plan, err := config.Prepare(t.Context(), "", config.Plan)
	if err != nil || len(plan.Requests) != 1 || len(plan.Requests[0].Body) != 5 || plan.Requests[0].Stream != unpark.Unary {
		t.Errorf("asked when it answers: %+v, %v", plan.Requests, err)
	}
}
