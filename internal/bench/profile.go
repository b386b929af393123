package bench

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/bench"
	"github.com/unpark-go/unpark/internal/judge/functions"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/measure/target/build"
)

const (
	// mostProfiled is how many benchmarks are profiled: those whose time changed most.
	mostProfiled = 3
	// profiledRounds is how many rounds of a benchmark are made with profiles: enough for a change of a function to be
	// called, and some more.
	profiledRounds = 12
	// profiledTime is how long each arm runs in one: a hundred samples.
	profiledTime = time.Second
)

// functions profiles the benchmarks whose time changed, in rounds of their own, and adds the functions that did it.
func (e *experiment) functions(ctx context.Context, results []unpark.Benchmark) error {
	var changed []*unpark.Benchmark
	size := func(b *unpark.Benchmark) float64 { return math.Abs(math.Log(b.Effects[0].Ratio.Value.Or(1))) }
	for i := range results {
		b := &results[i]
		if len(b.Effects) > 0 && b.Effects[0].Metric == bench.Seconds && (b.Effects[0].Verdict == "worse" || b.Effects[0].Verdict == "better") {
			changed = append(changed, b)
		}
	}
	slices.SortStableFunc(changed, func(x, y *unpark.Benchmark) int { return cmp.Compare(size(y), size(x)) })
	for _, b := range changed[:min(len(changed), mostProfiled)] {
		e.say("profile   %s.%s: %s of %v", b.Package, b.Name, unpark.Counted(profiledRounds, "round"), max(e.c.Time, profiledTime))
		pairs, err := e.profiled(ctx, *b)
		if err != nil {
			return err
		}
		changes, tested := functions.Judge(pairs, functions.Options{Alpha: e.c.Options.Alpha, Seed: e.c.Options.Seed, Operations: true})
		b.Functions, b.FunctionsTested = changes, &tested
	}
	return nil
}

// profiled makes the rounds of a benchmark with profiles. Fewer come with the budget's end.
func (e *experiment) profiled(ctx context.Context, b unpark.Benchmark) ([]functions.Pair, error) {
	var pairs []functions.Pair
	i := slices.IndexFunc(e.both, func(x benchmark) bool {
		return x.id.Package == b.Package && (x.id.Name == b.Name || strings.HasPrefix(b.Name, x.id.Name+"/"))
	})
	if i < 0 {
		return nil, nil
	}
	for range profiledRounds {
		if e.c.Budget > 0 && time.Since(e.began) > e.c.Budget {
			break
		}
		order := []int{0, 1}
		if e.chance.IntN(2) == 1 {
			order = []int{1, 0}
		}
		var costs [2]functions.Costs
		for _, arm := range order {
			var err error
			if costs[arm], err = e.costs(ctx, e.both[i].binaries[arm], b, arm); err != nil {
				return pairs, err
			}
		}
		pairs = append(pairs, functions.Pair{Before: costs[0], After: costs[1]})
	}
	return pairs, nil
}

// costs runs a benchmark of one arm with profiles. Where it fails there are none.
func (e *experiment) costs(ctx context.Context, t build.Tested, b unpark.Benchmark, arm int) (functions.Costs, error) {
	dir := e.arms[arm].built.Path
	cpu, allocs := filepath.Join(dir, "cpu.out"), filepath.Join(dir, "mem.out")
	args := []string{
		"-test.run", "^$", "-test.bench", exactly(b.Name), "-test.benchtime", max(e.c.Time, profiledTime).String(), "-test.count", "1", "-test.benchmem",
		"-test.cpuprofile", cpu, "-test.memprofile", allocs,
	}
	text, err := execute(ctx, t, args...)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, nil
	}
	values := valuesOf(text, b.Name)
	var flames []unpark.Flame
	catalogue, busy := profile.NewCatalogue(t.Module), 0.0
	for kind, name := range map[unpark.Kind]string{unpark.KindCPU: cpu, unpark.KindAllocs: allocs} {
		raw, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		p, err := profile.Decode(bytes.NewReader(raw), kind, filepath.Base(name))
		if err != nil {
			continue
		}
		if kind == unpark.KindCPU && p.Duration() > 0 {
			busy = p.Total() / p.Duration().Seconds()
		}
		flames = append(flames, p.Flame(catalogue))
	}
	c := functions.FromFlames(flames, 1, t.Module)
	if c == nil {
		return nil, nil
	}
	c.At(functions.CPU, busy*values[bench.Seconds])
	c.At(functions.Bytes, values["B/op"])
	return c, nil
}

// exactly is the pattern of one benchmark or sub-benchmark.
func exactly(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	parts[0] = "^Benchmark" + strings.TrimPrefix(parts[0], "^")
	return strings.Join(parts, "/")
}
