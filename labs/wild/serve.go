package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/unpark-go/unpark"
)

// serve runs each server under each of its loads.
func (b bench) serve(ctx context.Context, all []server, t *table) error {
	var errs error
	for _, s := range all {
		if b.kept == "" {
			if err := b.buildServer(ctx, s); err != nil {
				errs = errors.Join(errs, err)
				continue
			}
		}
		for _, l := range s.Loads {
			doc, err := b.runServer(ctx, s, l)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			t.add(judge(s.fault(l), "before", doc, err))
		}
	}
	return errors.Join(errs, t.totals())
}

// folder is where a server is built; not below the temporary folder, where PocketBase takes
// itself for a development build.
func (b bench) folder(s server) string { return filepath.Join(b.bin, "servers", s.Name) }

func (b bench) buildServer(ctx context.Context, s server) error {
	c := exec.CommandContext(ctx, filepath.Join(filepath.Dir(s.dir), "build.sh"), "-p", s.Name, b.folder(s))
	if text, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w: %s", s.Name, err, last(string(text)))
	}
	return nil
}

// buildServers builds each, and goes on where one cannot be built. What it builds is found by
// a later run, which then has to compile nothing.
func (b bench) buildServers(ctx context.Context, all []server, out io.Writer) error {
	var errs error
	for _, s := range all {
		start := time.Now()
		err := b.buildServer(ctx, s)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		said := "built"
		if err != nil {
			said = "not built"
		}
		fmt.Fprintf(out, "%-16s %-9s %s\n", s.Name, said, time.Since(start).Round(time.Second))
		errs = errors.Join(errs, err)
	}
	return errs
}

// runServer starts a server as its server.json says, and lets unpark look at it as at one
// that runs already; or has what was kept of that judged again.
func (b bench) runServer(ctx context.Context, s server, l serverLoad) (run unpark.Run, err error) {
	if b.kept != "" {
		c := exec.CommandContext(ctx, b.unpark, "diagnose", "--json", filepath.Join(b.kept, s.Name+"-"+l.Name))
		return verdict(c, s.fault(l), "before")
	}
	dir, err := os.MkdirTemp(b.work, "server")
	if err != nil {
		return unpark.Run{}, err
	}
	ports, err := freePorts(3)
	if err != nil {
		return unpark.Run{}, err
	}
	fill := strings.NewReplacer("{bin}", b.folder(s), "{src}", s.dir, "{dir}", dir, "{port}", ports[0], "{port2}", ports[1], "{pprof_port}", ports[2])
	env := append(os.Environ(), "PPROF_PORT="+ports[2])
	for name, value := range s.Env {
		env = append(env, name+"="+fill.Replace(value))
	}
	g := group{ctx: ctx, env: env, dir: dir}
	defer func() { err = errors.Join(err, g.stop()) }()
	if err := g.steps(s.Setup, "before", fill); err != nil {
		return unpark.Run{}, err
	}
	for _, beside := range append(slices.Clone(s.Beside), step{Argv: s.Command}) {
		if err := g.start(filled(beside.Argv, fill)); err != nil {
			return unpark.Run{}, err
		}
	}
	if err := answers(ctx, fill.Replace(s.Ready)); err != nil {
		return unpark.Run{}, fmt.Errorf("%s: %w", s.Name, err)
	}
	if err := g.steps(s.Setup, "ready", fill); err != nil {
		return unpark.Run{}, err
	}
	endpoint := "http://127.0.0.1:" + ports[2]
	if s.Pprof.Kind == "own" {
		endpoint = strings.TrimSuffix(fill.Replace(s.Pprof.URL), "/debug/pprof")
	}
	return b.ask(ctx, s, l, fill, endpoint, "http://127.0.0.1:"+ports[0])
}

// ask runs unpark against a server that is up.
func (b bench) ask(ctx context.Context, s server, l serverLoad, fill *strings.Replacer, endpoint, base string) (unpark.Run, error) {
	url := fill.Replace(l.Path)
	if strings.HasPrefix(url, "/") {
		url = base + url
	}
	args := []string{
		"run", "--project", "none", "--quiet", "--json", "--pprof", endpoint, "--url", url, "--method", l.Method,
		"--connections", strconv.Itoa(l.Connections), "--duration", b.length.String(),
		"--out", filepath.Join(b.work, s.Name+"-"+l.Name),
	}
	for _, own := range s.Own {
		args = append(args, "--own", own)
	}
	for name, value := range l.Headers {
		args = append(args, "--header", name+": "+value)
	}
	args = append(args, filled(l.Args, fill)...)
	switch {
	case l.BodyFile != "":
		args = append(args, "--body-file", fill.Replace(l.BodyFile))
	case l.Body != "":
		args = append(args, "--body", l.Body)
	}
	ctx, cancel := context.WithTimeout(ctx, 8*b.length+2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, b.unpark, args...)
	c.Dir = b.work
	apart(c)
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 10 * time.Second
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	ended := c.Run()
	var run unpark.Run
	if err := json.Unmarshal(out.Bytes(), &run); err != nil {
		return unpark.Run{}, fmt.Errorf("%s %s: %w: %s", s.Name, l.Name, ended, last(said.String()))
	}
	return run, nil
}

func filled(argv []string, fill *strings.Replacer) []string {
	out := make([]string, len(argv))
	for i, arg := range argv {
		out[i] = fill.Replace(arg)
	}
	return out
}

// answers waits until a URL answers 2xx.
func answers(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
		if err != nil {
			return err
		}
		if resp, err := http.DefaultClient.Do(req); err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode/100 == 2 {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s does not answer: %w", url, ctx.Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// group is the processes of one run of a server.
type group struct {
	ctx     context.Context
	env     []string
	dir     string
	started []*exec.Cmd
}

func (g *group) command(argv []string) *exec.Cmd {
	c := exec.CommandContext(g.ctx, argv[0], argv[1:]...)
	c.Env, c.Dir = g.env, g.dir
	apart(c)
	c.Cancel = func() error { return end(c, false) }
	c.WaitDelay = 10 * time.Second
	return c
}

func (g *group) steps(all []step, when string, fill *strings.Replacer) error {
	for _, s := range all {
		if s.When != when {
			continue
		}
		argv := filled(s.Argv, fill)
		if text, err := g.command(argv).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", argv[0], err, last(string(text)))
		}
	}
	return nil
}

func (g *group) start(argv []string) error {
	c := g.command(argv)
	if err := c.Start(); err != nil {
		return err
	}
	g.started = append(g.started, c)
	return nil
}

// stop ends what was started, the server first.
func (g *group) stop() error {
	var errs error
	for _, c := range slices.Backward(g.started) {
		errs = errors.Join(errs, end(c, false))
		done := time.AfterFunc(10*time.Second, func() { _ = end(c, true) })
		_ = c.Wait() // it was asked to end
		done.Stop()
	}
	return errors.Join(errs, os.RemoveAll(g.dir))
}
