package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/labs/score/twin"
)

// turn is one window of each sort.
type turn struct {
	Setting                setting
	Service, Twin, Nothing figures
}

// figures are those of the service in one window.
type figures struct {
	RPS    float64 // requests a second
	CPU    float64 // cores
	P99    float64 // s
	Unpark float64 // CPU of unpark and its reader, s; also before and after the window
}

// perRequest is in s.
func (f figures) perRequest() float64 { return f.CPU / f.RPS }

func (t turn) String() string {
	f := func(f figures) string {
		return fmt.Sprintf("%.1f µs %.0f/s p99 %.2f ms", 1e6*f.perRequest(), f.RPS, 1e3*f.P99)
	}
	return fmt.Sprintf("read %s · twin read %s · nothing read %s · CPU per request ×%.3f ×%.3f",
		f(t.Service), f(t.Twin), f(t.Nothing), t.Service.perRequest()/t.Twin.perRequest(), t.Service.perRequest()/t.Nothing.perRequest())
}

// orders are all in which three windows can follow one another: each comes first, and after each other one, as often.
var orders = [][3]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {0, 2, 1}, {2, 0, 1}, {1, 0, 2}}

// bench is a service under load, and its twin.
type bench struct {
	flags
	folder       string
	loaded, idle *twin.Service
	client       *client
	meter        *meter
	doses        *doses // nil: unpark reads
	turns        []turn
	windows      int
}

func newBench(ctx context.Context, f flags, folder string) (*bench, error) {
	b := &bench{flags: f, folder: folder}
	if f.Dose > 0 {
		b.doses = newDoses(f.setting)
	}
	var err error
	if b.loaded, err = twin.Start(ctx, parkedIn(f.Goroutines)); err != nil {
		return nil, err
	}
	if b.idle, err = twin.Start(ctx, parkedIn(f.Goroutines)); err != nil {
		b.end()
		return nil, err
	}
	b.client = newClient(ctx, b.loaded.URL, f.setting)
	b.meter = newMeter(b.loaded)
	time.Sleep(3 * time.Second) // connections are open, and caches warm
	return b, nil
}

func (b *bench) end() {
	if b.client != nil {
		b.client.end()
		b.meter.end()
	}
	for _, s := range []*twin.Service{b.loaded, b.idle} {
		if s != nil {
			_ = s.End() // it has ended if that fails
		}
	}
}

// three measures one window of each sort.
func (b *bench) three(ctx context.Context, i int) (turn, error) {
	var all [3]figures
	for _, k := range orders[i%len(orders)] {
		var err error
		if all[k], err = b.window(ctx, [3]*twin.Service{b.loaded, b.idle, nil}[k]); err != nil {
			return turn{}, err
		}
	}
	return turn{b.setting, all[0], all[1], all[2]}, nil
}

// window measures the service while unpark reads one of the two, or none.
func (b *bench) window(ctx context.Context, read *twin.Service) (figures, error) {
	if _, err := b.client.take(); err != nil {
		return figures{}, err
	}
	from, to, used, err := b.read(ctx, read)
	if err != nil {
		return figures{}, err
	}
	answers, err := b.client.take()
	if err != nil {
		return figures{}, err
	}
	var took []time.Duration
	for _, a := range answers {
		if !a.at.Before(from) && a.at.Before(to) {
			took = append(took, a.took)
		}
	}
	if len(took) == 0 {
		return figures{}, errors.New("the service answered nothing in a window")
	}
	slices.Sort(took)
	if err := b.meter.look(); err != nil {
		return figures{}, err
	}
	seconds := to.Sub(from).Seconds()
	return figures{
		RPS: float64(len(took)) / seconds, CPU: (b.meter.at(to) - b.meter.at(from)) / seconds,
		P99: took[len(took)*99/100].Seconds(), Unpark: used,
	}, nil
}

// read has unpark read a service, and returns when its window was, and the CPU that unpark used for it.
func (b *bench) read(ctx context.Context, s *twin.Service) (from, to time.Time, used float64, err error) {
	if s == nil {
		if b.doses == nil {
			time.Sleep(500 * time.Millisecond) // as long as unpark takes before its window, or so
		}
		from = time.Now()
		time.Sleep(b.Window)
		return from, time.Now(), 0, ctx.Err()
	}
	if b.doses != nil {
		from, to, err = b.doses.read(ctx, s, b.Window)
		return from, to, 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, b.Window+2*time.Minute)
	defer cancel()
	b.windows++
	folder := filepath.Join(b.folder, strconv.Itoa(b.windows))
	c := exec.CommandContext(ctx, b.unpark, "attach", "--pid", strconv.Itoa(s.PID), "--duration", b.Window.String(), "--out", folder, "--quiet")
	if out, err := c.CombinedOutput(); err != nil {
		return from, to, 0, fmt.Errorf("attach: %w\n%s", err, out)
	}
	used = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	text, err := os.ReadFile(filepath.Join(folder, "run.json"))
	if err != nil {
		return from, to, 0, err
	}
	var r unpark.Run
	if err := json.Unmarshal(text, &r); err != nil || len(r.Windows) != 1 {
		return from, to, 0, fmt.Errorf("%s: %d windows: %w", folder, len(r.Windows), err)
	}
	return r.Windows[0].Start, r.Windows[0].End, used, os.RemoveAll(folder)
}
