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
	build func(ctx context.Context, s setup) (http.Handler, error)
	fix   string   // what -fixed does; empty: there is nothing to fix
	parts []string // of the fix, for -fix
}

// setup is how a service is to be built.
type setup struct {
	downstream string   // URL; empty: a server inside this process
	fixed      bool     // all of the fix
	parts      []string // of the fix
}

// has reports whether a part of the fix is in.
func (s setup) has(part string) bool { return s.fixed || slices.Contains(s.parts, part) }

// modes lists every service.
func modes() []mode {
	return []mode{
		{name: "cheap", about: "answers at once", build: cheap},
		{name: "raw", about: "answers without parsing, cheaper than any generator", build: raw},
		{name: "parked", about: "answers at once beside 200 parked goroutines", build: parked},
		{name: "hotlock", about: "takes locks a million times a second that nobody else wants", build: hotLock},
		{name: "cpu", about: "computes for every answer, without a lock", build: compute, fix: "half of it is computed once"},
		{name: "alloc", about: "allocates a megabyte for every answer", build: allocate, fix: "uses it again"},
		{name: "recompute", about: "encodes the same three pictures for every answer", build: recompute, fix: "keeps them"},
		{name: "page", about: "parses settings, searches, fills a template and signs", build: newShop, fix: "all of the four", parts: shopFixes()},
		{name: "order", about: "locks, asks a server twice and writes a log", build: newDesk, fix: "all of the three", parts: deskFixes()},
		{name: "ratelimit", about: "waits for a limiter of 200 a second", build: rateLimited},
		{name: "chanwait", about: "hands every request to one goroutine", build: oneWorker, fix: "to one of 32"},
		{name: "rwmutex", about: "reads under a lock that every tenth request takes for writing", build: readMostly, fix: "and holds for a moment"},
		{name: "leak", about: "leaves one goroutine behind for every request", build: leak, fix: "tells it to end"},
		{name: "fsync", about: "syncs a file for every request", build: syncs},
		{name: "writes", about: "answers in 200 small writes", build: smallWrites, fix: "collects them"},
		{name: "downstream", about: "asks a slow server for every request", build: askDownstream},
		{name: "pool", about: "asks a server and leaves the answer unread", build: unreadBodies, fix: "reads it, and keeps connections"},
		{name: "slow", about: "is the slow server that mode downstream asks", build: slowServer},
		{name: "near", about: "is the quicker one that mode order asks", build: nearServer},
		{name: "big", about: "is the server that mode pool asks: 32 kB at once", build: bigServer},
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
	var s setup
	flags.StringVar(&s.downstream, "downstream", "", "URL that modes downstream, order and pool ask; empty: a server inside this process")
	flags.BoolVar(&s.fixed, "fixed", false, "without its fault")
	parts := flags.String("fix", "", "`parts` of the fix, with commas: "+partsUsage())
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if *parts != "" {
		s.parts = strings.Split(*parts, ",")
	}
	m, err := choose(*name, s, flags.Args())
	if err != nil {
		fmt.Fprintf(stderr, "controls: %v\n", err)
		return 2
	}
	if err := serve(ctx, m, *addr, s, stderr); err != nil {
		fmt.Fprintf(stderr, "controls: %s: %v\n", *name, err)
		return 1
	}
	return 0
}

// choose returns the mode, and refuses what it does not have.
func choose(name string, s setup, rest []string) (mode, error) {
	all := modes()
	i := slices.IndexFunc(all, func(m mode) bool { return m.name == name })
	if i < 0 || len(rest) > 0 {
		return mode{}, fmt.Errorf("-mode %q %q: give one of the modes below and nothing else\n%s", name, rest, usage())
	}
	if s.fixed && all[i].fix == "" {
		return mode{}, fmt.Errorf("-fixed: nothing is wrong in mode %s, or nothing that this process could mend: leave it out", name)
	}
	for _, part := range s.parts {
		if !slices.Contains(all[i].parts, part) {
			return mode{}, fmt.Errorf("-fix %q is no part of mode %s: the parts are %s", part, name, partsUsage())
		}
	}
	return all[i], nil
}

func usage() string {
	var b strings.Builder
	b.WriteString("what to be")
	for _, m := range modes() {
		fmt.Fprintf(&b, "\n%-11s%s", m.name, m.about)
		if m.fix != "" {
			fmt.Fprintf(&b, " (-fixed: %s)", m.fix)
		}
	}
	return b.String()
}

// partsUsage lists the parts of fixes.
func partsUsage() string {
	var out []string
	for _, m := range modes() {
		if len(m.parts) > 0 {
			out = append(out, "of "+m.name+" "+strings.Join(m.parts, ", "))
		}
	}
	return strings.Join(out, "; ")
}

func serve(ctx context.Context, m mode, addr string, s setup, stderr io.Writer) error {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	defer ln.Close()
	h, err := m.build(ctx, s)
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
