// Across is two services: checkout asks inventory for each of its requests. Either may be what is slow. See README.md in this
// folder.
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

	"github.com/unpark-go/unpark/probe"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are what the flags say.
type options struct {
	serve, addr, inventory, fault string
	propagate, grpc               bool
}

// run serves until ctx is done and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o options
	f := flag.NewFlagSet("across", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.serve, "serve", "checkout", "which of the two: checkout or inventory")
	f.StringVar(&o.addr, "addr", "127.0.0.1:8080", "host:port to serve on")
	f.StringVar(&o.inventory, "inventory", "127.0.0.1:8081", "host:port that checkout asks")
	f.StringVar(&o.fault, "fault", "", "what is slow in this service: lock, cpu or pool, of inventory also with -fixed behind it; empty: nothing")
	f.BoolVar(&o.propagate, "propagate", true, "checkout hands on the traceparent of its requests")
	f.BoolVar(&o.grpc, "grpc", false, "checkout asks inventory over gRPC")
	if err := f.Parse(args); err != nil {
		return 2
	}
	var handler http.Handler
	switch {
	case f.NArg() > 0:
		fmt.Fprintf(stderr, "across: unexpected argument %q\n", f.Arg(0))
		return 2
	case o.serve == "inventory":
		handler = newInventory(o)
	case o.serve == "checkout":
		client, err := newClient(o)
		if err != nil {
			fmt.Fprintf(stderr, "across: ask %s: %v\n", o.inventory, err)
			return 2
		}
		handler = newCheckout(o, client)
	default:
		fmt.Fprintf(stderr, "across: -serve %q: it is checkout or inventory\n", o.serve)
		return 2
	}
	probe.Start()
	if err := serve(ctx, o, handler, stdout); err != nil {
		fmt.Fprintf(stderr, "across: serve %s on %s: %v\n", o.serve, o.addr, err)
		return 1
	}
	return 0
}

func serve(ctx context.Context, o options, handler http.Handler, stdout io.Writer) error {
	ln, err := net.Listen("tcp", o.addr)
	if err != nil {
		return err
	}
	defer ln.Close()
	srv := &http.Server{Handler: probe.Handler(handler), ReadHeaderTimeout: 5 * time.Second, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	context.AfterFunc(ctx, func() { _ = srv.Close() })
	fmt.Fprintf(stdout, "across: %s serves on http://%s\n", o.serve, ln.Addr())
	if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
