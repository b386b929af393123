package main

import (
	"context"
	"net"
	"net/url"
	"strings"
	"testing"
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
