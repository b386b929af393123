// Place serves the shared canvas lab: anybody sets one pixel, everybody asks for
// the picture. Pixels are rows in SQLite, the picture is a PNG. See README.md in
// this folder.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/unpark-go/unpark/probe"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stderr))
}

// run serves until ctx is done and returns the exit status.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	c, err := parse(args, stderr)
	if err == nil {
		err = c.validate()
	}
	if err != nil {
		fmt.Fprintf(stderr, "place: %v\n", err)
		return 2
	}
	if c.slow != "" {
		err = slowly(ctx, c.slow, c.slowClients, c.slowRate)
	} else {
		probe.Start()
		err = place(ctx, c, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "place: %v\n", err)
		return 1
	}
	return 0
}

// config is what the flags say.
type config struct {
	addr       string
	stage      string // db, image or bytes
	hazard     string // of stage bytes: lock-write, stampede or none
	data       string // file of the database; empty: a new one that is removed
	size       size
	pixels     int // painted at the start; negative: all
	sendBuffer int // bytes

	slow        string // URL; not empty: be clients and no service
	slowClients int
	slowRate    int // bytes per second and client
}

func parse(args []string, stderr io.Writer) (config, error) {
	var c config
	f := flag.NewFlagSet("place", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&c.addr, "addr", "127.0.0.1:8080", "host:port to serve on")
	f.StringVar(&c.stage, "stage", "db", "what is made for each request: db (everything), image (the PNG), bytes (nothing)")
	f.StringVar(&c.hazard, "hazard", "", "of stage bytes: lock-write (the lock is held while a client takes the picture) or stampede (every request makes the picture after a change)")
	f.StringVar(&c.data, "data", "", "`file` of the database; without one it is new and gone at the end")
	f.IntVar(&c.size.width, "width", 128, "of the canvas, in pixels")
	f.IntVar(&c.size.height, "height", 128, "of the canvas, in pixels")
	f.IntVar(&c.pixels, "pixels", -1, "painted in a new database, from the top; -1 for all")
	f.IntVar(&c.sendBuffer, "send-buffer", 0, "of a connection, in bytes; 0: the system's choice")
	f.StringVar(&c.slow, "slow", "", "be slow clients of this `URL`, and no service")
	f.IntVar(&c.slowClients, "slow-clients", 2, "how many")
	f.IntVar(&c.slowRate, "slow-rate", 200_000, "bytes per second that each takes")
	if err := f.Parse(args); err != nil {
		return c, err
	}
	if f.NArg() > 0 {
		return c, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if c.pixels < 0 {
		c.pixels = c.size.width * c.size.height
	}
	return c, nil
}

// widest in pixels bounds a canvas to 64 MB.
const widest = 4096

func (c config) validate() error {
	s := c.size
	switch {
	case s.width < 1 || s.height < 1 || s.width > widest || s.height > widest:
		return fmt.Errorf("a canvas of %d × %d: each side has 1 to %d pixels", s.width, s.height, widest)
	case c.pixels > s.width*s.height:
		return fmt.Errorf("-pixels %d: the canvas has %d", c.pixels, s.width*s.height)
	case c.stage != "db" && c.stage != "image" && c.stage != "bytes":
		return fmt.Errorf("-stage %q: it is db, image or bytes", c.stage)
	case c.hazard != "" && c.hazard != "lock-write" && c.hazard != "stampede":
		return fmt.Errorf("-hazard %q: it is lock-write or stampede", c.hazard)
	case c.hazard != "" && c.stage != "bytes":
		return fmt.Errorf("-hazard %s is one of -stage bytes", c.hazard)
	case c.slowClients < 1 || c.slowRate < 1 || c.sendBuffer < 0:
		return fmt.Errorf("-slow-clients, -slow-rate and -send-buffer take positive numbers")
	}
	return nil
}

// place serves one canvas until ctx is done.
func place(ctx context.Context, c config, stderr io.Writer) error {
	ln, err := net.Listen("tcp", c.addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", c.addr, err)
	}
	defer ln.Close()
	s, done, err := opened(ctx, c)
	if err != nil {
		return err
	}
	defer done()
	board, err := newBoard(ctx, c.size, s)
	if err != nil {
		return err
	}
	slowest := &fromRows{c.size, s}
	cal, err := calibrate(ctx, slowest)
	if err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	srv := &service{size: c.size, board: board, pictures: c.pictures(slowest, board), calibration: cal}
	fmt.Fprintf(stderr, "place: serving on http://%s\n", ln.Addr())
	return serve(ctx, ln, srv.routes(), c.sendBuffer)
}

func (c config) pictures(slowest *fromRows, b *board) pictures {
	switch {
	case c.stage == "db":
		return slowest
	case c.stage == "image":
		return &fromImage{b}
	case c.hazard == "lock-write":
		return &lockedWrite{board: b}
	case c.hazard == "stampede":
		return &stampeding{board: b}
	default:
		return &fromBytes{board: b}
	}
}

// opened returns the store, painted if it is new; done closes it, and removes it
// if nobody asked to keep it.
func opened(ctx context.Context, c config) (s *store, done func(), err error) {
	file, remove := c.data, func() {}
	if file == "" {
		folder, err := os.MkdirTemp("", "place")
		if err != nil {
			return nil, nil, err
		}
		file, remove = filepath.Join(folder, "place.db"), func() { _ = os.RemoveAll(folder) }
	}
	_, missing := os.Stat(file)
	if s, err = openStore(ctx, file); err != nil {
		remove()
		return nil, nil, err
	}
	done = func() { _ = s.close(); remove() }
	if missing != nil {
		if err := s.set(ctx, painted(c.size, c.pixels)...); err != nil {
			done()
			return nil, nil, err
		}
	}
	return s, done, nil
}
