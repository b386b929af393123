// Catalog serves one of 500 finished products for each request, picked by a
// random number from a library whose source is locked. See README.md in this
// folder.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/gofiber/fiber/v3"

	"github.com/unpark-go/unpark/probe"
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

type config struct {
	addr    string
	pick    string
	workers int
}

func parse(args []string, stderr io.Writer) (config, error) {
	var c config
	flags := flag.NewFlagSet("catalog", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&c.addr, "addr", "127.0.0.1:8080", "host:port to serve on")
	flags.StringVar(&c.pick, "pick", "faker", "how a product is picked: faker (locked source), index (pool walked by a counter), rand (math/rand/v2)")
	flags.IntVar(&c.workers, "prefork", 0, "worker processes; 0 serves from one process")
	if err := flags.Parse(args); err != nil {
		return c, err
	}
	err := c.check(flags.Args())
	if err != nil {
		fmt.Fprintf(stderr, "catalog: %v\n", err)
	}
	return c, err
}

func (c config) check(rest []string) error {
	if len(rest) > 0 {
		return fmt.Errorf("unexpected argument %q", rest[0])
	}
	if c.workers < 0 {
		return fmt.Errorf("-prefork %d: give 0 or more workers", c.workers)
	}
	if _, port, err := net.SplitHostPort(c.addr); c.workers > 0 && (err != nil || port == "0") {
		return fmt.Errorf("-prefork needs an address with a port, not %q: every worker opens it for itself", c.addr)
	}
	if _, err := newPicker(c.pick, products); err != nil {
		return err
	}
	return nil
}

// run serves until a signal ends it and returns the exit status.
func run(args []string, stderr io.Writer) int {
	c, err := parse(args, stderr)
	if err != nil {
		return 2
	}
	// Fiber's master process accepts no requests: only what serves is profiled.
	if c.workers == 0 || fiber.IsChild() {
		probe.Start()
	}
	if err := serve(c, stderr); err != nil {
		fmt.Fprintf(stderr, "catalog: serve on %s: %v\n", c.addr, err)
		return 1
	}
	return 0
}

func serve(c config, stderr io.Writer) error {
	app, err := newApp(c.pick)
	if err != nil {
		return err
	}
	listen := fiber.ListenConfig{
		EnablePrefork: c.workers > 0, DisableStartupMessage: true,
		ListenerAddrFunc: func(a net.Addr) {
			fmt.Fprintf(stderr, "catalog: process %d serves on http://%s\n", os.Getpid(), a)
		},
	}
	if c.workers > 0 && !fiber.IsChild() {
		// Fiber starts one worker for each processor that the runtime may use.
		runtime.GOMAXPROCS(c.workers)
	}
	w := &workers{}
	app.Hooks().OnFork(w.add)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	var stopping atomic.Bool
	go func() {
		<-signals
		stopping.Store(true)
		w.stop()
		_ = app.Shutdown() // its error comes back from Listen, or the process ends anyway
	}()
	err = app.Listen(c.addr, listen)
	if stopping.Load() {
		return nil
	}
	if err == nil && c.workers > 0 {
		return errors.New("a worker ended")
	}
	return err
}

// workers are the processes that the master started. Fiber's workers end by
// themselves only when they become children of process 1, which is not so below
// a subreaper or in a container.
type workers struct {
	mu      sync.Mutex
	pids    []int
	stopped bool
}

func (w *workers) add(pid int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pids = append(w.pids, pid)
	if w.stopped {
		end(pid)
	}
	return nil
}

// stop ends the workers that run and those that are still to come.
func (w *workers) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	for _, pid := range w.pids {
		end(pid)
	}
}

// end asks a process to stop; one that is gone already is no error.
func end(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Signal(syscall.SIGTERM)
	}
}
