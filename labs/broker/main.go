// Broker serves tasks that are created, claimed and completed: alone, with three
// ways to commit, or as one of three nodes. See README.md in this folder.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/unpark-go/unpark/labs/broker/api"
	"github.com/unpark-go/unpark/labs/broker/store"
	"github.com/unpark-go/unpark/probe"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stderr))
}

type config struct {
	addr, dir, commit string
	shards            int
}

func parse(args []string, stderr io.Writer) (config, error) {
	var c config
	flags := flag.NewFlagSet("broker", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&c.addr, "addr", "127.0.0.1:8080", "host:port to serve HTTP on")
	flags.StringVar(&c.dir, "dir", "", "folder of the database; default a temporary one, removed at the end")
	flags.StringVar(&c.commit, "commit", store.Mutex, "how a single node commits: mutex, direct, coalesce")
	flags.IntVar(&c.shards, "shards", 8, "shards, by hash of the idempotency key; must stay as it is in a folder")
	if err := flags.Parse(args); err != nil {
		return c, err
	}
	err := c.check(flags.Args())
	if err != nil {
		fmt.Fprintf(stderr, "broker: %v\n", err)
	}
	return c, err
}

func (c config) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q", rest[0])
	case c.shards < 1 || c.shards > 1024:
		return fmt.Errorf("-shards %d: give 1 to 1024", c.shards)
	}
	return nil
}

// run serves until ctx is done and returns the exit status.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	c, err := parse(args, stderr)
	if err != nil {
		return 2
	}
	probe.Start()
	if err := serve(ctx, c, stderr); err != nil {
		fmt.Fprintf(stderr, "broker: %v\n", err)
		return 1
	}
	return 0
}

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
	engine, err := store.New(c.commit, s, c.shards, &counts)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	l, err := net.Listen("tcp", c.addr)
	if err != nil {
		return fmt.Errorf("open the port: %w: choose another -addr", err)
	}
	read := func() store.Stats {
		out := counts.Read()
		out.Syncs = s.Syncs()
		return out
	}
	self := "http://" + l.Addr().String()
	fmt.Fprintf(stderr, "broker: serving on %s\n", self)
	return serveHTTP(ctx, l, probe.Handler(api.Handler(api.NewService(engine, c.shards), self, read)))
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
