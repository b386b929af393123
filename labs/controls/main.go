// Controls serves small services with one known property each: some healthy,
// some limited by something outside the process, some with one plain fault.
// They exist to catch a verdict that sees what is not there.
//
// No file of this package imports a profiling package: unpark must profile it
// as it is (`unpark run --pkg ./labs/controls -- -mode parked`).
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
	"slices"
	"strings"
	"syscall"
	"time"
)

// mode builds one service. What it starts ends with ctx.
type mode struct {
	name  string
	about string
	build func(ctx context.Context, downstream string) (http.Handler, error)
}

// modes lists every service.
func modes() []mode {
	return []mode{
		{"cheap", "answers at once", cheap},
		{"raw", "answers without parsing, cheaper than any generator", raw},
		{"parked", "answers at once beside 200 parked goroutines", parked},
		{"hotlock", "takes locks a million times a second that nobody else wants", hotLock},
		{"cpu", "computes for every answer, without a lock", compute},
		{"alloc", "allocates a megabyte for every answer", allocate},
		{"recompute", "encodes the same picture for every answer", recompute},
		{"ratelimit", "waits for a limiter of 200 a second", rateLimited},
		{"chanwait", "hands every request to one goroutine", oneWorker},
		{"rwmutex", "reads under a lock that every tenth request takes for writing", readMostly},
		{"leak", "leaves one goroutine behind for every request", leak},
		{"fsync", "syncs a file for every request", syncs},
		{"writes", "answers in 200 small writes", smallWrites},
		{"downstream", "asks a slow server for every request", askDownstream},
		{"pool", "asks a server and leaves the answer unread", unreadBodies},
		{"slow", "is the slow server that mode downstream asks", slowServer},
		{"big", "is the server that mode pool asks: 32 kB at once", bigServer},
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stderr))
}

// run serves until ctx is done and returns the exit status.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	flags := flag.NewFlagSet("controls", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:8080", "host:port to serve on")
	name := flags.String("mode", "cheap", usage())
	downstream := flags.String("downstream", "", "URL that modes downstream and pool ask; empty: a server inside this process")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	all := modes()
	i := slices.IndexFunc(all, func(m mode) bool { return m.name == *name })
	if i < 0 || flags.NArg() > 0 {
		fmt.Fprintf(stderr, "controls: -mode %q %q: give one of the modes below and nothing else\n%s\n", *name, flags.Args(), usage())
		return 2
	}
	if err := serve(ctx, all[i], *addr, *downstream, stderr); err != nil {
		fmt.Fprintf(stderr, "controls: %s: %v\n", *name, err)
		return 1
	}
	return 0
}

func usage() string {
	var b strings.Builder
	b.WriteString("what to be")
	for _, m := range modes() {
		fmt.Fprintf(&b, "\n%-11s%s", m.name, m.about)
	}
	return b.String()
}

func serve(ctx context.Context, m mode, addr, downstream string, stderr io.Writer) error {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	defer ln.Close()
	h, err := m.build(ctx, downstream)
	if err != nil {
		return err
	}
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { _ = srv.Close() })
	fmt.Fprintf(stderr, "controls: %s serves on http://%s\n", m.name, ln.Addr())
	if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
