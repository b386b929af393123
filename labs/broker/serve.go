package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"google.golang.org/grpc"

	"github.com/unpark-go/unpark/labs/broker/api"
	"github.com/unpark-go/unpark/labs/broker/cluster"
	"github.com/unpark-go/unpark/labs/broker/rpc"
	"github.com/unpark-go/unpark/labs/broker/store"
	"github.com/unpark-go/unpark/probe"
)

// serve opens what the configuration names, and closes it again when ctx is done.
func serve(ctx context.Context, c config, stderr io.Writer) (err error) {
	if c.dir == "" {
		if c.dir, err = os.MkdirTemp("", "broker-"); err != nil {
			return fmt.Errorf("make a folder for the database: %w: name one in -dir", err)
		}
		defer os.RemoveAll(c.dir)
	}
	s, err := store.Open(c.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var counts store.Counts
	engine, err := c.engine(s, &counts, stderr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	l, err := net.Listen("tcp", c.addr)
	if err != nil {
		return fmt.Errorf("open the port: %w: choose another -addr", err)
	}
	service := api.NewService(engine, c.shards)
	stop, err := c.serveGRPC(service)
	if err != nil {
		l.Close()
		return err
	}
	defer stop()
	self := "http://" + l.Addr().String()
	if p := c.self(); p != nil {
		self = p.URL
	}
	read := func() store.Stats {
		out := counts.Read()
		out.Syncs = s.Syncs()
		return out
	}
	fmt.Fprintf(stderr, "broker: serving on http://%s\n", l.Addr())
	return serveHTTP(ctx, l, probe.Handler(api.Handler(service, self, read)))
}

// engine is what carries out commands: alone, or with the cluster.
func (c config) engine(s *store.Store, counts *store.Counts, stderr io.Writer) (store.Engine, error) {
	self := c.self()
	if self == nil {
		return store.New(c.commit, s, c.shards, counts)
	}
	l, err := net.Listen("tcp", self.Raft)
	if err != nil {
		return nil, fmt.Errorf("open the port of the cluster: %w: choose another one in -peers", err)
	}
	return cluster.Start(s, cluster.Config{
		ID: c.id, Peers: c.peers, Shards: c.shards, Dir: c.dir, Batch: c.apply == applyBatch,
		Listener: l, Counts: counts, Log: stderr,
	})
}

// serveGRPC serves streams in the background, if that is asked for, until stop.
func (c config) serveGRPC(service *api.Service) (stop func(), err error) {
	if c.grpc == "" {
		return func() {}, nil
	}
	l, err := net.Listen("tcp", c.grpc)
	if err != nil {
		return nil, fmt.Errorf("open the port for gRPC: %w: choose another -grpc", err)
	}
	server := grpc.NewServer()
	rpc.RegisterBrokerServer(server, api.Stream(service))
	go func() { _ = server.Serve(l) }() // ends with Stop
	return server.Stop, nil
}

// serveHTTP serves until ctx is done, and then lets requests finish.
func serveHTTP(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	graceful, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if server.Shutdown(graceful) != nil {
		server.Close() // clients that do not let go are no failure of the broker
	}
	return nil
}
