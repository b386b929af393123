package report

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/unpark-go/unpark"
)

// loads are loads as `unpark load` makes them, one for each shape of its text.
func loads() map[string]LoadRun {
	request := []unpark.Request{{Method: "GET", URL: "http://127.0.0.1:8080/item/7"}}
	example := func(mode unpark.Mode, rps, p50, p99, seconds float64) unpark.Load {
		l := *loadExample(mode, rps, p50, p99, seconds)
		for _, q := range []*unpark.Latency{&l.Response, &l.Service, &l.Lag} {
			q.P9999 = q.P999 * 1.1
		}
		return l
	}
	closed := example(unpark.Closed, 41234.5, 0.00112, 0.0048, 10)
	closed.OwnLag = latency(20e-6, 90e-6, closed.Requests)
	open := example(unpark.Constant, 1000, 0.0021, 0.95, 20)
	open.Requests, open.AchievedRPS, open.Unfinished, open.Late = 19400, 970, 31, 7
	open.Errors, open.ErrorKinds = 612, map[string]int64{"timeout": 600, "status": 12}
	open.Status = map[string]int64{"200": 19388, "503": 12}
	open.ErrorSample = "GET http://127.0.0.1:8080/item/7: no answer in time (1s)"
	nothing := unpark.Load{Mode: unpark.Closed, Seconds: 2, Errors: 88, ErrorKinds: map[string]int64{"refused": 88}, ErrorSample: "connection refused"}
	level := func(n int, rps float64, void ...unpark.Notice) LoadLevel {
		return LoadLevel{unpark.Level{Connections: n}, void, example(unpark.Closed, rps, 0.001*float64(n), 0.004*float64(n), 10)}
	}
	late := unpark.Notice{Code: "generator-cpu", Message: "the generator used 0.97 of its 1 cores", Cure: "run it on another machine"}
	errors := unpark.Notice{Code: "errors", Message: "612 of 20,000 requests failed (3.1 %)", Cure: "look at the target's log"}
	return map[string]LoadRun{
		"closed": {Plan: unpark.Plan{Mode: unpark.Closed, Connections: 50, Requests: request, Duration: 10}, Load: closed},
		"open": {
			Plan: unpark.Plan{Mode: unpark.Constant, RateRPS: 1000, Connections: 50, Requests: request, Duration: 20, Protocol: "h2c"},
			Load: open, Warnings: []unpark.Notice{errors},
		},
		"void": {
			Plan: unpark.Plan{Mode: unpark.Closed, Connections: 500, Requests: request, Duration: 10},
			Load: closed, Void: []unpark.Notice{late}, Warnings: []unpark.Notice{errors}, Partial: "interrupted after 3.2 s of 10 s",
		},
		"sweep": {
			Plan: unpark.Plan{Mode: unpark.Sweep, Levels: []float64{1, 8, 64}, Requests: request, Duration: 10},
			Load: level(8, 9120).Load, Levels: []LoadLevel{level(1, 812.25), level(8, 9120), level(64, 9100, late)},
		},
		"nothing": {Plan: unpark.Plan{Mode: unpark.Closed, Connections: 1}, Load: nothing},
		"zero":    {},
		"hostile": {
			Plan: unpark.Plan{Mode: unpark.Poisson, RateRPS: math.Inf(1), Requests: []unpark.Request{{URL: "http://\x1b[31m\n" + strings.Repeat("x", 300)}}},
			Load: unpark.Load{
				Mode: "\x1b[2J", AchievedRPS: math.NaN(), Requests: 1 << 62, Errors: 1 << 61, ErrorSample: "\u202e" + strings.Repeat("y ", 200),
				Status: map[string]int64{"\x07": 1}, ErrorKinds: map[string]int64{"a\nb": 2},
				Response: unpark.Latency{P50: math.Inf(1), N: 3, Buckets: []unpark.Bucket{{Le: 1, Count: 1}, {Le: 2, Count: 0}, {Le: 1e9, Count: 2}}},
			},
			Warnings: []unpark.Notice{{Code: "x", Message: strings.Repeat("long ", 100), Cure: "\x1b]0;title\x07"}},
		},
	}
}

func TestLoadText(t *testing.T) {
	for name, r := range loads() {
		t.Run(name, func(t *testing.T) {
			text := render(t, Text, r)
			golden(t, "load-"+name+".txt", []byte(text))
			checkLines(t, text)
			if got := ansi.Strip(render(t, Color, r)); got != text {
				t.Errorf("colour differs in more than colour:\n%s", got)
			}
		})
	}
}

func TestLoadFirstLine(t *testing.T) {
	for name, want := range map[string]string{
		"closed": "REACHED  41,235 req/s · 412,345 requests in 10.0 s · no errors\n",
		"open":   "REACHED  970 of 1,000 req/s offered · 19,400 requests in 20.0 s · 612 errors (3.1 %)\n",
		"void":   "VOID   The generator used", "nothing": "REACHED  0 req/s · 0 requests in 2.00 s · 88 errors (100 %)\n",
	} {
		if got := render(t, Text, loads()[name]); !strings.HasPrefix(strings.ToLower(got), strings.ToLower(want)) {
			t.Errorf("%s begins with %.90q, want %q", name, got, want)
		}
	}
}

// TestDistribution: merging loses nothing and keeps to its rows.
func TestDistribution(t *testing.T) {
	for _, n := range []int{1, 2, 11, 12, 13, 50, 101} {
		l := unpark.Latency{}
		for i := range n {
			l.Buckets = append(l.Buckets, unpark.Bucket{Le: float64(i + 1), Count: int64(i % 7)})
			l.N += int64(i % 7)
		}
		for _, at := range []float64{0.5, 1, float64(n) / 2, float64(n) - 1, float64(n), float64(n) + 1} {
			l.P999, l.Max = at, float64(n)
			got, sum, last := merged(l), int64(0), 0.0
			for _, b := range got {
				if b.Le <= last {
					t.Errorf("%d buckets: bounds do not rise: %v", n, got)
				}
				sum, last = sum+b.Count, b.Le
			}
			if sum != l.N || last != float64(n) || len(got) > mostBars+1 {
				t.Errorf("%d buckets, p99.9 %g: %d rows with %d values up to %g", n, at, len(got), sum, last)
			}
		}
	}
	if block(0, 10) != "" || block(1, 1e9) != "▏" || width(block(10, 10)) != barWidth {
		t.Errorf("bars %q %q %q", block(0, 10), block(1, 1e9), block(10, 10))
	}
}

func TestLoadFitsTheSchema(t *testing.T) {
	schema := compile(t, "load.schema.json")
	for name, r := range loads() {
		if name == "hostile" || name == "zero" { // not what the command makes
			continue
		}
		text := render(t, JSON, r)
		if err := schema.Validate(parse(t, text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var back LoadRun
		if err := json.Unmarshal([]byte(text), &back); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if again := render(t, JSON, back); again != text {
			t.Errorf("%s: what was read and written again differs", name)
		}
	}
	for name, breakIt := range map[string]func(d map[string]any){
		"another version":   func(d map[string]any) { d["schema"] = "unpark.load/v2" },
		"no load":           func(d map[string]any) { delete(d, "load") },
		"null for void":     func(d map[string]any) { d["void"] = nil },
		"null for a level":  func(d map[string]any) { d["levels"].([]any)[0] = nil },
		"a level, no load":  func(d map[string]any) { delete(d["levels"].([]any)[1].(map[string]any), "load") },
		"negative requests": func(d map[string]any) { d["load"].(map[string]any)["requests"] = json.Number("-1") },
	} {
		d := parse(t, render(t, JSON, loads()["sweep"])).(map[string]any)
		breakIt(d)
		if schema.Validate(d) == nil {
			t.Errorf("accepted: %s", name)
		}
	}
}

func TestLoadSchemaCoversTheTypes(t *testing.T) {
	all := schemas(t)
	w := walker{t: t, all: all, seen: map[reflect.Type]bool{}}
	w.walk("load", "load.schema.json", all["load.schema.json"], reflect.TypeFor[LoadRun]())
	if len(w.seen) < 8 {
		t.Errorf("only %d types were seen", len(w.seen))
	}
}
