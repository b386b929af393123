// Across holds unpark against the two services of labs/across: the fault is in the one that is asked, in three kinds, in the one
// that asks, or in neither; requests carry a trace or do not. Each forecast is held against a run of the fixed service.
//
//	go run ./labs/score/across                 # every arm three times, some minutes
//	go run ./labs/score/across -only lock -repeats 1
//
// It prints a line for each run. Exit status 1 when one of them is wrong.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "across:", err)
		os.Exit(1)
	}
}

// arm is one pair of services, and what unpark must say of it.
type arm struct {
	name             string
	inventory        string // its fault
	checkout         string // its fault
	propagate        bool
	grpc             bool // checkout asks over gRPC
	connections      int
	service          string // in which the first finding must be; "" for checkout
	class            []unpark.Class
	how              unpark.JoinedBy
	fixed            string // the fault of inventory without it; "": there is no forecast to hold
	nothingInAnother bool   // no finding of inventory may come first
}

func arms() []arm {
	lock, cpu, pool := []unpark.Class{unpark.ClassLock}, []unpark.Class{unpark.ClassCPU, unpark.ClassRecompute}, []unpark.Class{unpark.ClassPool}
	return []arm{
		{name: "lock", inventory: "lock", propagate: true, connections: 6, service: "inventory", class: lock, how: unpark.ByTraceparent, fixed: "lock-fixed"},
		{name: "cpu", inventory: "cpu", propagate: true, connections: 6, service: "inventory", class: cpu, how: unpark.ByTraceparent, fixed: "cpu-fixed"},
		{name: "pool", inventory: "pool", propagate: true, connections: 12, service: "inventory", class: pool, how: unpark.ByTraceparent, fixed: "pool-fixed"},
		{name: "lock, no propagation", inventory: "lock", connections: 6, service: "inventory", class: lock, how: unpark.ByConnections, fixed: "lock-fixed"},
		{name: "lock, over gRPC", inventory: "lock", propagate: true, grpc: true, connections: 6, service: "inventory", class: lock, how: unpark.ByTraceparent, fixed: "lock-fixed"},
		{name: "the caller's own lock", checkout: "lock", propagate: true, connections: 6, class: lock, how: unpark.ByTraceparent, nothingInAnother: true},
	}
}

// bench is the two binaries and where runs are kept.
type bench struct {
	unpark, lab, folder string
	window              time.Duration
}

func build(ctx context.Context, folder string, window time.Duration) (bench, error) {
	b := bench{filepath.Join(folder, "unpark"), filepath.Join(folder, "across"), folder, window}
	for out, pkg := range map[string]string{b.unpark: "github.com/unpark-go/unpark/cmd/unpark", b.lab: "github.com/unpark-go/unpark/labs/across"} {
		if text, err := exec.CommandContext(ctx, "go", "build", "-o", out, pkg).CombinedOutput(); err != nil {
			return b, fmt.Errorf("build %s: %w\n%s", pkg, err, text)
		}
	}
	return b, nil
}

// measure runs unpark at both services.
func (b bench) measure(ctx context.Context, a arm) (unpark.Run, error) {
	var r unpark.Run
	ports, err := free(2)
	if err != nil {
		return r, err
	}
	folder, err := os.MkdirTemp(b.folder, "run-")
	if err != nil {
		return r, err
	}
	checkout, inventory := "127.0.0.1:"+ports[0], "127.0.0.1:"+ports[1]
	c := exec.CommandContext(ctx, b.unpark, "run", "--json", "-q", "--out", filepath.Join(folder, "run"),
		"--url", "http://"+checkout+"/buy/7", "-c", fmt.Sprint(a.connections), "--duration", b.window.String(), "--warmup", "1s", "--baseline", "0",
		"--also", fmt.Sprintf("inventory=%s -serve inventory -addr %s -fault=%s -grpc=%v", b.lab, inventory, a.inventory, a.grpc),
		"--", b.lab, "-serve", "checkout", "-addr", checkout, "-inventory", inventory, "-fault="+a.checkout,
		fmt.Sprintf("-propagate=%v", a.propagate), fmt.Sprintf("-grpc=%v", a.grpc))
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 20 * time.Second
	var said strings.Builder
	c.Stderr = &said
	text, err := c.Output()
	if len(text) == 0 {
		return r, fmt.Errorf("%s: unpark run: %w: %s", a.name, err, said.String())
	}
	return r, json.Unmarshal(text, &r)
}

// free are ports that nothing listens on now.
func free(n int) ([]string, error) {
	var out []string
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		_, port, _ := net.SplitHostPort(l.Addr().String())
		out = append(out, port)
	}
	return out, nil
}

// check says how a verdict differs from what the arm expects; nil where it does not.
func (a arm) check(r unpark.Run) []string {
	var wrong []string
	if len(r.Services) != 1 {
		return []string{"inventory is not among the services"}
	}
	if j := r.Services[0].Join; j.How != a.how || j.Unsure != "" {
		wrong = append(wrong, fmt.Sprintf("joined by %s (%s), want %s", j.How, j.Unsure, a.how))
	}
	if len(r.Findings) == 0 {
		return append(wrong, "no finding")
	}
	first := r.Findings[0]
	if a.nothingInAnother && first.Service != "" {
		wrong = append(wrong, "blamed on another service: "+first.Title)
	}
	is := false
	for _, c := range a.class {
		is = is || first.Class == c
	}
	if first.Service != a.service || !is {
		wrong = append(wrong, fmt.Sprintf("the first finding is %s: %s", first.Class, first.Title))
	}
	return wrong
}

// inside reports what became of a forecast: the measured ratio, and whether its interval has it.
func inside(q unpark.Quantity, before, after float64) (text string, ok bool) {
	ratio := after / before
	low, high := q.Low, q.High
	if !q.Value.Known() && !low.Known() && !high.Known() {
		return fmt.Sprintf("measured ×%.2f, not forecast", ratio), false
	}
	ok = ratio >= low.Or(0) && ratio <= high.Or(1e9)
	return fmt.Sprintf("measured ×%.2f of %s–%s", ratio, end(low), end(high)), ok
}

func end(n unpark.Number) string {
	if v, ok := n.Get(); ok {
		return fmt.Sprintf("%.2f", v)
	}
	return "?"
}

func run(ctx context.Context, args []string, out io.Writer) error {
	f := flag.NewFlagSet("across", flag.ContinueOnError)
	repeats := f.Int("repeats", 3, "of every arm")
	only := f.String("only", "", "arms whose name contains this")
	window := f.Duration("window", 5*time.Second, "length of each window, whole seconds")
	if err := f.Parse(args); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "across-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	b, err := build(ctx, folder, *window)
	if err != nil {
		return err
	}
	wrong := 0
	for repeat := range *repeats {
		for _, a := range arms() {
			if !strings.Contains(a.name, *only) {
				continue
			}
			bad, err := b.try(ctx, a, repeat+1, out)
			if err != nil {
				return err
			}
			wrong += bad
		}
	}
	if wrong > 0 {
		return errors.New("not all of it is right")
	}
	return nil
}

// try runs one arm, and where there is a forecast the fixed one, and prints what came of it.
func (b bench) try(ctx context.Context, a arm, repeat int, out io.Writer) (wrong int, err error) {
	r, err := b.measure(ctx, a)
	if err != nil {
		return 1, err
	}
	said := a.check(r)
	line := fmt.Sprintf("%-24s #%d  limit %s in %q", a.name, repeat, r.Limit.Kind, r.Limit.Service)
	if len(r.Services) == 1 {
		j := r.Services[0].Join
		line += fmt.Sprintf("  %s, %.0f %% of the time, %.0f %% of the slowest", j.How, 100*j.Share.Or(0), 100*j.Tail.Or(0))
	}
	if a.fixed != "" && len(r.Findings) > 0 {
		fixed := a
		fixed.inventory = a.fixed
		after, err := b.measure(ctx, fixed)
		if err != nil {
			return 1, err
		}
		was, is := r.Windows[0].Load, after.Windows[0].Load
		p := r.Findings[0].Prediction
		x, ok := inside(p.Throughput, was.AchievedRPS, is.AchievedRPS)
		p99, okTail := inside(p.P99, was.Response.P99, is.Response.P99)
		line += "  throughput " + x + "; p99 " + p99
		if !ok {
			said = append(said, "throughput outside")
		}
		if !okTail && p.P99.Known() {
			said = append(said, "p99 outside")
		}
	}
	if len(said) > 0 {
		fmt.Fprintln(out, line+"  WRONG: "+strings.Join(said, "; "))
		return 1, nil
	}
	fmt.Fprintln(out, line+"  right")
	return 0, nil
}
