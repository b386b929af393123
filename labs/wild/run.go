package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/unpark-go/unpark"
)

// bench runs unpark on cases.
type bench struct {
	unpark string // the program
	bin    string // where services are built
	work   string // where runs go
	length time.Duration
	trace  time.Duration
	kept   string // where runs were kept that are judged again; none are made then

	crowded bool // runs are taken as they are
}

// again is how often a run is made anew that something else disturbed.
const again = 2

// quiet runs a variant, and again while something else has the processors meanwhile: such a run says what
// a disturbed machine does.
func (b bench) quiet(ctx context.Context, f fault, variant string) (unpark.Run, error) {
	for left := again; ; left-- {
		run, err := b.run(ctx, f, variant)
		if b.kept != "" || b.crowded || left == 0 || err != nil || ctx.Err() != nil || !disturbed(run) {
			return run, err
		}
		if err := os.RemoveAll(b.dir(f, variant)); err != nil {
			return run, err
		}
		select {
		case <-time.After(20 * time.Second):
		case <-ctx.Done():
			return run, ctx.Err()
		}
	}
}

// disturbed reports that something else had the processors.
func disturbed(run unpark.Run) bool {
	return slices.ContainsFunc(run.Warnings, func(n unpark.Notice) bool { return n.Code == "busy-host" })
}

// dir is where the run of a variant is.
func (b bench) dir(f fault, variant string) string { return filepath.Join(b.work, f.Name+"-"+variant) }

// isKept reports whether a run of a variant was kept.
func (b bench) isKept(f fault, variant string) bool {
	_, err := os.Stat(filepath.Join(b.kept, f.Name+"-"+variant))
	return err == nil
}

// run lets unpark investigate a variant of a case, as a user would in the folder of its source, or judge again what it kept of that.
func (b bench) run(ctx context.Context, f fault, variant string) (unpark.Run, error) {
	if b.kept != "" {
		if err := f.fetch(ctx, variant); err != nil {
			return unpark.Run{}, err
		}
		c := exec.CommandContext(ctx, b.unpark, "diagnose", "--json", "--source", filepath.Join(b.kept, f.Name+"-"+variant))
		c.Dir = f.dir
		return verdict(c, f, variant)
	}
	service, err := f.build(ctx, variant, b.bin)
	if err != nil {
		return unpark.Run{}, err
	}
	ports, err := freePorts(2)
	if err != nil {
		return unpark.Run{}, err
	}
	scheme := "http"
	if f.Protocol == "grpc" {
		scheme = "grpc"
	}
	base := scheme + "://127.0.0.1:" + ports[0]
	args := []string{
		"run", "--project", "none", "--quiet", "--json", "--pprof", "http://127.0.0.1:" + ports[1],
		"--connections", strconv.Itoa(f.Connections), "--duration", b.length.String(),
		"--out", b.dir(f, variant),
	}
	if b.trace > 0 {
		args = append(args, "--trace", b.trace.String())
	}
	asked, err := f.asked(base, b.work)
	if err != nil {
		return unpark.Run{}, err
	}
	args = append(args, asked...)
	args = append(append(args, f.Args...), "--", service)

	ctx, cancel := context.WithTimeout(ctx, 8*b.length+2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, b.unpark, args...)
	c.Dir = f.dir
	c.Env = append(os.Environ(), "PORT="+ports[0], "PPROF_PORT="+ports[1], "PROFILE_RATES=1")
	if variant == "after" && f.AfterEnv != "" {
		c.Env = append(c.Env, f.AfterEnv)
	}
	apart(c)
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 10 * time.Second
	return verdict(c, f, variant)
}

// verdict runs a command that prints a run document.
func verdict(c *exec.Cmd, f fault, variant string) (unpark.Run, error) {
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	ended := c.Run()
	var run unpark.Run
	if err := json.Unmarshal(out.Bytes(), &run); err != nil {
		return unpark.Run{}, fmt.Errorf("%s, %s: %w: %s", f.Name, variant, ended, last(said.String()))
	}
	return run, nil
}

// asked are the flags for the requests of a case; what flags cannot tell apart goes into a file in a folder.
func (f fault) asked(base, dir string) ([]string, error) {
	var args []string
	asks := f.Requests
	if len(asks) == 0 {
		asks = []ask{{Method: f.Method, Path: f.Path, Body: f.Body, Weight: 1}}
	}
	if f.Protocol != "" && f.Protocol != "h1" && f.Protocol != "grpc" {
		args = append(args, "--protocol", f.Protocol)
	}
	if f.Protocol != "grpc" && slices.ContainsFunc(asks, func(a ask) bool { return a.Body != asks[0].Body || a.Method != asks[0].Method }) {
		file, err := listed(asks, base, dir, f.Name)
		return append(args, "--targets", file), err
	}
	for _, a := range asks {
		url := base + a.Path
		if a.Weight > 1 {
			url = strconv.FormatFloat(a.Weight, 'g', -1, 64) + "*" + url
		}
		args = append(args, "--url", url)
	}
	if asks[0].Method != "" {
		args = append(args, "--method", asks[0].Method)
	}
	if asks[0].Body != "" {
		args = append(args, "--body", asks[0].Body)
	}
	return args, nil
}

// listed writes requests as targets of vegeta, each as often as its weight says.
func listed(asks []ask, base, dir, name string) (string, error) {
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	for _, a := range asks {
		for range max(1, int(math.Round(a.Weight))) {
			target := struct {
				Method string `json:"method"`
				URL    string `json:"url"`
				Body   []byte `json:"body,omitempty"`
			}{cmp.Or(a.Method, "GET"), base + a.Path, []byte(a.Body)}
			if err := lines.Encode(target); err != nil {
				return "", err
			}
		}
	}
	file := filepath.Join(dir, name+".targets")
	return file, os.WriteFile(file, out.Bytes(), 0o600)
}

func freePorts(n int) ([]string, error) {
	var out []string
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close() // all at once, so that they differ
		_, port, err := net.SplitHostPort(l.Addr().String())
		if err != nil {
			return nil, err
		}
		out = append(out, port)
	}
	return out, nil
}
