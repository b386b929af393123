// Attach measures what it costs a service to be read from outside, in turns of three: `unpark attach` reads the service, it
// reads an idle twin of the service, it reads nothing. The first against the second is what is done to the service; the
// second against the third is what unpark's own computing beside it takes, on the same processors.
//
//	go run ./labs/score/attach                              # 12 turns of three, a closed loop
//	go run ./labs/score/attach -rate 3000 -keep open.jsonl  # an open loop, added to what is in the file
//	go run ./labs/score/attach -goroutines 1000000
//
// A cost of a hundredth is less than turns scatter on a machine with neighbours. With -dose N the process is read N times as
// often as by unpark, samples of its CPU and its goroutines, with the same rates: what that costs it is divided by N. What does
// not grow with N is divided as well, and is not to be: what a sampler by threads costs with each switch, and what recording takes. That
// is printed by itself, and is whole in what one dose comes to "in all". It lasts for as large a part of a window as in one of
// -like, and is somewhat more than there, since what comes before a rate is raised is there in each window. With -dose 1 all is as it is. A window has as many readings of goroutines whatever its length: -like
// says which length to be like.
//
//	go run ./labs/score/attach -dose 20 -like 30s
//
// CPU for each request comes first: it is the service's own, by /proc, and scatters least. Figures are of the window that
// the run document states; a request counts where it ended. It prints each turn, and of all of them the median of
// the ratios with its interval.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"time"

	"github.com/unpark-go/unpark/labs/score/twin"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if parked, ok := os.LookupEnv(asked); ok {
		fmt.Fprintln(os.Stderr, serve(ctx, parked))
		os.Exit(1)
	}
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "attach:", err)
		os.Exit(1)
	}
}

// setting is what turns must have in common to be counted together.
type setting struct {
	Goroutines  int           `json:"goroutines"`
	Rate        float64       `json:"rate"` // requests a second of an open loop; 0: a closed one
	Connections int           `json:"connections"`
	Window      time.Duration `json:"window_ns"`
	Dose        int           `json:"dose"`              // times what unpark does to a service; 0: unpark itself
	Part        string        `json:"part"`              // of it, alone: "cpu", "goroutines" or "rates"; "": all
	Like        time.Duration `json:"like_ns,omitempty"` // goroutines are read as often as in a window of this length; 0: of the window's own
}

func (s setting) String() string {
	load := fmt.Sprintf("closed loop of %d", s.Connections)
	if s.Rate > 0 {
		load = fmt.Sprintf("%g requests a second", s.Rate)
	}
	by := "unpark attach"
	if s.Dose > 0 {
		by = fmt.Sprintf("read %d times as much as by unpark", s.Dose)
		if s.Part != "" {
			by += " (" + s.Part + " alone)"
		}
		if s.Like > 0 {
			by += fmt.Sprintf(" in a window of %v", s.Like)
		}
	}
	return fmt.Sprintf("%s, %s, %d parked goroutines, windows of %v, %d processors", by, load, s.Goroutines, s.Window, runtime.NumCPU())
}

// each is what of a ratio one dose makes: what is done to a service more often costs it as much more.
func (s setting) each(ratios []float64) string {
	if s.Dose == 0 {
		return ""
	}
	one := make([]float64, len(ratios))
	for i, r := range ratios {
		one[i] = 1 + (r-1)/float64(s.Dose)
	}
	return "; of one dose: " + twin.Median(one)
}

// inAll is what one dose comes to with all of what recording takes, a part of the CPU: that is there once, however many doses there are.
// It is more CPU for each request, and as many fewer requests where processors are what limits them.
func (s setting) inAll(ratios []float64, recorded float64) string {
	if s.Dose == 0 || s.Part != "" {
		return ""
	}
	one := make([]float64, len(ratios))
	for i, r := range ratios {
		one[i] = 1 + (r-1-recorded)/float64(s.Dose) + recorded
	}
	return "; in all: " + twin.Median(one)
}

type flags struct {
	setting
	turns        int
	most         time.Duration
	keep, unpark string
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var f flags
	set := flag.NewFlagSet("attach", flag.ContinueOnError)
	set.IntVar(&f.turns, "turns", 12, "how many turns of three")
	set.DurationVar(&f.most, "most", time.Hour, "begin no turn after so long")
	set.IntVar(&f.Goroutines, "goroutines", 0, "goroutines that are parked in the service")
	set.Float64Var(&f.Rate, "rate", 0, "requests a second, of an open loop; 0: a closed one")
	set.IntVar(&f.Connections, "connections", 32, "connections to the service")
	set.DurationVar(&f.Window, "window", 4*time.Second, "length of a window, whole seconds")
	set.IntVar(&f.Dose, "dose", 0, "read so many times as much as unpark does, in place of unpark: a cost too small to be seen is, and is divided by it")
	set.StringVar(&f.Part, "part", "", "with -dose: cpu, goroutines or rates alone")
	set.DurationVar(&f.Like, "like", 0, "with -dose: read goroutines as often as in a window of this length; 30s is what unpark attach has")
	set.StringVar(&f.keep, "keep", "", "`file` to which turns are added, and of which all with the same settings are counted")
	set.StringVar(&f.unpark, "unpark", "", "`binary` to measure, in place of one built from this tree")
	if err := set.Parse(args); err != nil {
		return err
	}
	began := time.Now()
	folder, err := os.MkdirTemp("", "attach-cost-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if f.unpark == "" && f.Dose == 0 {
		f.unpark = filepath.Join(folder, "unpark")
		if b, err := exec.CommandContext(ctx, "go", "build", "-o", f.unpark, "github.com/unpark-go/unpark/cmd/unpark").CombinedOutput(); err != nil {
			return fmt.Errorf("build unpark: %w\n%s", err, b)
		}
	}
	b, err := newBench(ctx, f, folder)
	if err != nil {
		return err
	}
	defer b.end()
	for i := 0; i < f.turns && time.Since(began) < f.most; i++ {
		t, err := b.three(ctx, i)
		if err != nil {
			return err
		}
		if err := add(f.keep, t); err != nil {
			return err
		}
		b.turns = append(b.turns, t)
		fmt.Fprintf(out, "%3d  %s\n", i+1, t)
	}
	if f.keep != "" {
		if b.turns, err = kept(f.keep, f.setting); err != nil {
			return err
		}
	}
	recorded := 0.0
	if b.doses != nil {
		recorded = b.doses.recordedShare()
	}
	summary(out, f.setting, b.turns, recorded)
	if b.doses != nil {
		fmt.Fprintln(out, b.doses)
	}
	return nil
}

// add appends a turn to a file; "" is none.
func add(file string, t turn) error {
	if file == "" {
		return nil
	}
	line, err := json.Marshal(t)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = out.Write(append(line, '\n'))
	return errors.Join(err, out.Close())
}

// kept reads the turns of a file that have the same settings.
func kept(file string, s setting) ([]turn, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var out []turn
	for lines := json.NewDecoder(in); ; {
		var t turn
		switch err := lines.Decode(&t); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", file, err)
		case t.Setting == s:
			out = append(out, t)
		}
	}
}

// summary says what all turns come to.
func summary(out io.Writer, s setting, all []turn, recorded float64) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(out, "%d turns of three, %s\n", len(all), s)
	for _, what := range []struct {
		name   string
		of     func(figures) float64
		inAll  bool
		longer float64 // what recording makes of it
	}{
		{"CPU per request", figures.perRequest, true, recorded},
		{"requests a second", func(f figures) float64 { return f.RPS }, s.Rate == 0, -recorded},
		{"p99", func(f figures) float64 { return f.P99 }, false, 0},
	} {
		var own, beside []float64
		for _, t := range all {
			own = append(own, what.of(t.Service)/what.of(t.Twin))
			beside = append(beside, what.of(t.Service)/what.of(t.Nothing))
		}
		whole := ""
		if what.inAll {
			whole = s.inAll(own, what.longer)
		}
		fmt.Fprintf(out, "%-18s read ÷ its twin read    %s%s%s\n", what.name, twin.Median(own), s.each(own), whole)
		fmt.Fprintf(out, "%-18s read ÷ nothing read     %s\n", "", twin.Median(beside))
	}
	if s.Dose > 0 {
		return
	}
	var cores []float64
	for _, t := range all {
		cores = append(cores, t.Service.Unpark)
	}
	fmt.Fprintf(out, "CPU of unpark and its reader for a window, from start to verdict: %s\n", twin.Seconds(cores))
}
