// Lookup serves the price lookup lab: a mutex held across a read of the backing
// store, and fresh garbage for each answer. See README.md in this folder.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/unpark-go/unpark/internal/lookup"
	"github.com/unpark-go/unpark/probe"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stderr))
}

// run serves until ctx is done and returns the exit status.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	flags := flag.NewFlagSet("lookup", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var c lookup.Config
	flags.StringVar(&c.Addr, "addr", "127.0.0.1:8080", "host:port to serve on")
	flags.BoolVar(&c.Fixed, "fixed", false, "read the store outside the lock and encode each answer once")
	flags.BoolVar(&c.Garbage, "garbage", false, "with -fixed: still build every answer afresh")
	kind := flags.String("cache", "", "another cache: mutex, rwmutex, sharded or copy; answers are then rows as they are")
	var v variant
	flags.Float64Var(&v.writes, "writes", 0, "with -cache: share of the requests that change a price, 0 to 1")
	flags.IntVar(&v.garbage, "rebuild", 0, "with -cache: times that each answer is decoded and encoded again")
	marked := flags.Bool("middleware", false, "mark requests with the probe's middleware, so that traces know them exactly")
	flags.DurationVar(&c.Hold, "hold", lookup.DefaultHold, "how long the backing store takes to answer")
	flags.IntVar(&c.Keys, "keys", lookup.DefaultKeys, "products in the store")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "lookup: unexpected argument %q\n", flags.Arg(0))
		return 2
	}
	if err := v.check(*kind); err != nil {
		fmt.Fprintf(stderr, "lookup: %v\n", err)
		return 2
	}
	probe.Start()
	if *marked {
		c.Middleware = probe.Handler
	}
	c.Ready = func(a net.Addr) { fmt.Fprintf(stderr, "lookup: serving on http://%s\n", a) }
	var err error
	if *kind == "" {
		err = lookup.Serve(ctx, c)
	} else {
		err = serveVariant(ctx, c, &v, *kind)
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// check refuses what a variant cannot be, before anything is opened.
func (v *variant) check(kind string) error {
	switch {
	case kind == "" && (v.writes != 0 || v.garbage != 0):
		return errors.New("-writes and -rebuild are of -cache")
	case v.writes < 0 || v.writes > 1:
		return fmt.Errorf("-writes %g: give a share from 0 to 1", v.writes)
	case v.garbage < 0:
		return fmt.Errorf("-rebuild %d: give 0 or more", v.garbage)
	case kind == "":
		return nil
	}
	_, err := newCache(kind, nil)
	return err
}
