package report

import (
	stdhtml "html"
	"io"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

func writers() map[string]func(io.Writer, unpark.Run) error {
	return map[string]func(io.Writer, unpark.Run) error{"text": Text[unpark.Run], "markdown": Markdown[unpark.Run], "html": alone}
}

func TestCostsInEveryForm(t *testing.T) {
	for name, f := range writers() {
		text := render(t, f, costsOnly())
		for _, want := range []string{"No single cause stands out.", doubt, "throughput without it", "json.Marshal", "render.go:23", "+27.1 % (+24.7 % to +29.9 %)", "21.3 %"} {
			if !strings.Contains(strings.ReplaceAll(strings.ToLower(stdhtml.UnescapeString(text)), joint, " "), strings.ToLower(want)) {
				t.Errorf("%s: no %q", name, want)
			}
		}
		if strings.Contains(text, "worth a change") || strings.Contains(strings.ToLower(text), "what else the cpu") {
			t.Errorf("%s: contradicts the costs, or speaks of findings", name)
		}
		text = render(t, f, costBeside())
		if !strings.Contains(strings.ToLower(text), "what else the cpu goes to") || strings.Contains(text, "stands out") {
			t.Errorf("%s: not beside a finding", name)
		}
		if text := render(t, f, healthy()); strings.Contains(strings.ToLower(text), "the cpu goes to") {
			t.Errorf("%s: costs of a run without", name)
		}
	}
}

func TestCostsLineUp(t *testing.T) {
	r := costsOnly()
	for _, callee := range []string{"json.Marshal", repeat("long", 12) + ".Marshal"} {
		r.Costs[0] = cost(1, r.Costs[0].Site, 0.213, 0.874, callee)
		_, table, _ := strings.Cut(render(t, Text, r), "COSTS")
		lines := strings.Split(table, "\n")
		second := 3
		if !strings.Contains(lines[2], callee) {
			second = 4
			if want := "          87.4 % of it in " + callee; lines[3] != want {
				t.Errorf("got  %q\nwant %q", lines[3], want)
			}
		}
		if a := strings.Index(lines[2], " % ("); a < 0 || a != strings.Index(lines[second], " % (") {
			t.Errorf("gains do not line up:\n%s", table)
		}
		if at := strings.Index(lines[1], "function"); at < 0 || at != strings.Index(lines[2], "web.") || at != strings.Index(lines[second], "price.") {
			t.Errorf("functions do not line up:\n%s", table)
		}
	}
}

func TestCostsMetric(t *testing.T) {
	ratio := func(v float64) unpark.Quantity { return unpark.Between(v, v, v, "ratio", 1) }
	for _, test := range []struct {
		name string
		all  []unpark.Prediction
		want string
	}{
		{"a closed loop", []unpark.Prediction{{Throughput: ratio(1.2), P99: ratio(0.8)}}, "throughput"},
		{"an open loop", []unpark.Prediction{{Throughput: ratio(1), P99: ratio(0.7)}, {Throughput: ratio(1), P99: ratio(0.98)}}, "p99"},
		{"the second moves it", []unpark.Prediction{{Throughput: ratio(1.01), P99: ratio(0.7)}, {Throughput: ratio(1.1)}}, "throughput"},
		{"nothing moves", []unpark.Prediction{{P99: ratio(0.99)}}, "p99"},
		{"not known", []unpark.Prediction{{}, {}}, ""},
	} {
		var all []unpark.Finding
		for _, p := range test.all {
			all = append(all, unpark.Finding{Prediction: p})
		}
		if got := commonMetric(all); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestCostsAbstain(t *testing.T) {
	r := costsOnly()
	for i := range r.Costs {
		r.Costs[i].Prediction = unpark.Prediction{Assumptions: []string{"nothing is known"}}
		r.Costs[i].Facts, r.Costs[i].Into = nil, nil
	}
	for name, f := range writers() {
		text := render(t, f, r)
		for _, bad := range []string{"without it", "no prediction", "of it in"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: %q is printed", name, bad)
			}
		}
		if !strings.Contains(text, "render.go:23") {
			t.Errorf("%s: the function is gone", name)
		}
	}
}

func TestCallee(t *testing.T) {
	at := unpark.Site{Function: "main.f"}
	for _, test := range []struct {
		name string
		cost unpark.Finding
		want callee
	}{
		{"the most of it", cost(1, at, 0.2, 0.75, "json.Marshal"), callee{"75.0 %", "json.Marshal"}},
		{"more than all", cost(1, at, 0.2, 1.5, "json.Marshal"), callee{"", "json.Marshal"}},
		{"none", cost(1, at, 0.2, 0, ""), callee{}},
		{"a path", cost(1, at, 0.2, 0.75, "encoding/json.Marshal"), callee{"75.0 %", "json.Marshal"}},
		{"nothing", unpark.Finding{}, callee{}},
		{"no name", unpark.Finding{Into: []unpark.Part{{Share: 0.5}}}, callee{}},
	} {
		if got := calleeOf(test.cost); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
