package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"runtime"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark/internal/index"
	"github.com/unpark-go/unpark/internal/store/bucket"
	"github.com/unpark-go/unpark/internal/web"
)

func newUI(s streams) *cobra.Command {
	var listen, store string
	var show, anew bool
	c := &cobra.Command{
		Use:   "ui [FOLDER|s3://BUCKET/PREFIX]",
		Short: "Look at runs in a browser: over time, one by one, side by side",
		Long: `Serve the runs of a folder (unpark-runs) to a browser on this machine: what a service did
over time and where it changed, each run, two or more side by side.

  unpark ui
  unpark ui s3://perf/nightly        also --store; what a page needs is kept in the user's cache
  unpark ui /srv/unpark-runs --listen 127.0.0.1:0
  ssh -L 4380:127.0.0.1:4380 host    for the runs of another machine

The address that it prints has a key: without it nothing is answered, because others on this
machine can reach a loopback address, and profiles can hold secrets. Ctrl-C ends it.

Runs stay where they are and as they are. The list of them is an index in the user's cache,
made again whenever it is missing or broken; notes and tags are in notes.json of the folder.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			root := runsFolder
			if len(args) > 0 {
				root = args[0]
			}
			if store != "" {
				root = store
			}
			l, err := listenUI(listen, c.Flags().Changed("listen"))
			if err != nil {
				return err
			}
			defer l.Close()
			return serveUI(c.Context(), s, root, l, show, anew)
		},
	}
	f := c.Flags()
	f.StringVar(&listen, "listen", web.DefaultAddress, "loopback `address` to listen on; port 0 for a free one")
	f.StringVar(&store, "store", "", "the runs of a bucket: s3://bucket/prefix")
	f.BoolVar(&show, "open", false, "open it in the browser")
	f.BoolVar(&anew, "no-index", false, "read all runs again, and keep the list in memory")
	return c
}

// listenUI takes a free port where the usual one is taken.
func listenUI(address string, asked bool) (net.Listener, error) {
	l, err := web.Listen(address)
	if err != nil && !asked && errors.Is(err, syscall.EADDRINUSE) {
		return web.Listen("127.0.0.1:0")
	}
	return l, err
}

func serveUI(ctx context.Context, s streams, root string, l net.Listener, show, inMemory bool) error {
	var mirror *bucket.Mirror
	shown := root
	if bucket.Is(root) {
		st, err := bucket.Open(root)
		if err == nil {
			err = st.Check(ctx)
		}
		if err == nil {
			mirror, err = st.Mirror()
		}
		if err != nil {
			return err
		}
		root = mirror.Root
	}
	file := ""
	if !inMemory {
		var err error
		if file, err = index.File(root); err != nil {
			return err
		}
	}
	x, err := index.Open(ctx, root, file)
	if err != nil {
		return err
	}
	for _, n := range x.Notices() {
		fmt.Fprintf(s.err, "note: %s: %s\n", n.Message, n.Cure)
	}
	w := web.New(x, buildVersion(), l)
	if mirror != nil {
		w.From(shown, remote{mirror})
	}
	address := w.Address()
	fmt.Fprintf(s.out, "%s\n", address)
	fmt.Fprintf(s.err, "the runs of %s, until Ctrl-C\n", shown)
	if show {
		if err := openBrowser(address); err != nil {
			fmt.Fprintf(s.err, "note: no browser was opened (%v): open the address above\n", err)
		}
	}
	return errors.Join(w.Serve(ctx), x.Close())
}

// remote is a store, to the server of its pages.
type remote struct{ *bucket.Mirror }

// Bring brings the profiles of a run, or all of it. An experiment's folder has its runs in it.
func (r remote) Bring(ctx context.Context, path string, traces bool) error {
	part := bucket.Profiles
	if traces {
		part = bucket.All
	}
	run, _, _ := strings.Cut(path, "/")
	_, err := r.Fetch(ctx, run, part)
	return err
}

// openBrowser asks the system to show an address. The browser outlives unpark.
func openBrowser(address string) error {
	command := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if command == nil {
		command = []string{"xdg-open"}
	}
	c := exec.Command(command[0], append(command[1:], address)...) //nolint:gosec,noctx // our own address, and it is to go on
	if err := c.Start(); err != nil {
		return err
	}
	return c.Process.Release()
}
