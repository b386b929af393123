package search_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/search"
)

func TestParseSLO(t *testing.T) {
	for text, want := range map[string][]search.Term{
		"p99<50ms,errors<0.1%": {
			{Metric: "p99", Op: "<", Bound: 0.05, Unit: "s"},
			{Metric: "errors", Op: "<", Bound: 0.001, Unit: "ratio"},
			{Metric: "rate", Op: ">=", Bound: 0.95, Unit: "ratio", Assumed: true},
		},
		" mean <= 1.5 s , rate>99% ,errors≤0%": {
			{Metric: "mean", Op: "<=", Bound: 1.5, Unit: "s"}, {Metric: "rate", Op: ">", Bound: 0.99, Unit: "ratio"}, {Metric: "errors", Op: "<=", Unit: "ratio"},
		},
		"rate>=500/s,max<2m": {
			{Metric: "rate", Op: ">=", Bound: 500, Unit: "req/s"},
			{Metric: "max", Op: "<", Bound: 120, Unit: "s"},
			{Metric: "errors", Op: "<=", Bound: 0.01, Unit: "ratio", Assumed: true},
			{Metric: "rate", Op: ">=", Bound: 0.95, Unit: "ratio", Assumed: true},
		},
	} {
		got, err := search.ParseSLO(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if len(got.Terms) != len(want) {
			t.Errorf("%q: %v, want %v", text, got.Terms, want)
			continue
		}
		for i, term := range got.Terms {
			if term != want[i] {
				t.Errorf("%q: term %d is %+v, want %+v", text, i, term, want[i])
			}
		}
		if again, err := search.ParseSLO(got.String()); err != nil || again.String() != got.String() {
			t.Errorf("%q prints as %q, which reads as %v, %v", text, got, again, err)
		}
	}
}

func TestParseSLOErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                     `SLO "": term "": it is empty; write p99<50ms,errors<0.1%`,
		"p99<50ms,":            `term "": it is empty`,
		"p99":                  `term "p99": it compares nothing`,
		"p98<50ms":             `term "p98<50ms": "p98" is none of p50`,
		"p99<50":               `"50" is not a time above 0 such as 50ms`,
		"p99<0s":               `"0s" is not a time above 0`,
		"p99<50%":              `"50%" is not a time`,
		"p99>50ms":             `">": p99 is to be < or <= something`,
		"p99=50ms":             `"=": p99 is to be`,
		"p99<>50ms":            `"<>": p99 is to be`,
		"errors<1":             `"1" is not a percentage such as 0.1%`,
		"errors<101%":          `"101%" is not a percentage from 0% to 100%`,
		"errors<x%":            `"x%" is not a percentage`,
		"errors<0%":            "nothing is below 0%; write errors<=0%",
		"errors<5/s":           `"5/s" is not a percentage`,
		"rate<5/s":             `"<": rate is to be > or >=`,
		"rate>5":               `"5" is neither a percentage of the offered rate (99%) nor a rate (500/s)`,
		"rate>-1/s":            `"-1/s" is not a rate above 0`,
		"rate>nan%":            `"nan%" is not a percentage`,
		"p99<50ms,p99<=60ms":   `term "p99<=60ms": there is one for p99 already: p99<50ms`,
		"errors<1%,errors<=2%": "there is one for errors already",
	} {
		if got, err := search.ParseSLO(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, %v; want %s", text, got, err, want)
		}
	}
}

func TestHolds(t *testing.T) {
	good := unpark.Load{
		OfferedRPS: 1000, AchievedRPS: 995, Requests: 9950, Errors: 5, ErrorKinds: map[string]int64{"status": 2},
		Response: unpark.Latency{P50: 0.001, P90: 0.002, P95: 0.003, P99: 0.04, P999: 0.2, Max: 0.5, Mean: 0.0015, N: 9950},
	}
	for _, c := range []struct {
		slo    string
		change func(*unpark.Load)
		want   []string
	}{
		{"p50<1.1ms,p90<3ms,p95<4ms,p99<50ms,p999<=200ms,max<1s,mean<2ms,errors<0.1%,rate>=99%,rate>900/s", nil, nil},
		{"p99<40ms", nil, []string{"p99 was 40 ms, wanted < 40 ms"}},
		{"p99<=40ms", nil, nil},
		{"rate>=99.8%", func(l *unpark.Load) { l.AchievedRPS = 997.9 }, []string{"rate was just below 99.8 %, wanted >= 99.8 %"}},
		{"errors<0.05%", nil, []string{"errors were just above 0.05 %, wanted < 0.05 %"}},
		{"p999<100ms,rate>2000/s", nil, []string{"p999 was 200 ms, wanted < 100 ms", "rate was 995 req/s, wanted > 2k req/s"}},
		{"p99<50ms", func(l *unpark.Load) { l.Errors = 500 }, []string{"errors were 4.8 %, wanted <= 1 % (assumed, as no term names it)"}},
		{"p99<50ms", func(l *unpark.Load) { l.AchievedRPS = 900 }, []string{"rate was 90.0 %, wanted >= 95 % (assumed, as no term names it)"}},
		{"p99<50ms", func(l *unpark.Load) { *l = unpark.Load{OfferedRPS: 10, Errors: 100} }, []string{
			"p99 is unknown: no request was answered; p99<50ms was wanted", "errors were 100 %, wanted <= 1 % (assumed, as no term names it)", "rate was 0 %, wanted >= 95 % (assumed, as no term names it)",
		}},
	} {
		l := good
		if c.change != nil {
			c.change(&l)
		}
		holds, got := slo(t, c.slo).Holds(l)
		if holds != (len(c.want) == 0) || strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%s: %v, %q; want %q", c.slo, holds, got, c.want)
		}
	}
}

func FuzzParseSLO(f *testing.F) {
	for _, s := range []string{"p99<50ms,errors<0.1%", "rate>=500/s", "p50≤1s", "<<", "errors<%", "max<9223372036s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := search.ParseSLO(text)
		if err != nil {
			return
		}
		if len(s.Terms) < 2 {
			t.Fatalf("%q: %v", text, s.Terms)
		}
		s.Holds(unpark.Load{})
	})
}
