package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestByParts: one metric, the one that moves; what is not known is left out.
func TestByParts(t *testing.T) {
	q := func(v float64) unpark.Quantity { return unpark.Measured(v, "ratio", 1) }
	closed := []unpark.Alternative{
		{Fix: unpark.FixHalved, Throughput: q(1.3), P99: q(0.7)}, {Fix: unpark.FixSharded, Throughput: q(2.1), P99: q(0.5)}, {Fix: unpark.FixRWMutex, Throughput: q(1.1)},
	}
	for _, c := range []struct {
		name string
		p    unpark.Prediction
		want string
	}{
		{"nothing", unpark.Prediction{}, ""},
		{"a closed loop", unpark.Prediction{Alternatives: closed}, "throughput if halved ×1.30 · 8 shards ×2.10 · RWMutex ×1.10"},
		{"half beside a least that is less", unpark.Prediction{Throughput: unpark.Quantity{Low: unpark.Num(1.2)}, Alternatives: closed}, "throughput if 8 shards ×2.10 · RWMutex ×1.10"},
		{"half beside a least that is more", unpark.Prediction{Throughput: unpark.Quantity{Low: unpark.Num(1.6)}, Alternatives: closed}, "throughput if halved ×1.30 · 8 shards ×2.10 · RWMutex ×1.10"},
		{"a library's function, half of which is more than the least", unpark.Prediction{Throughput: unpark.Quantity{Low: unpark.Num(1.2)}, Alternatives: append([]unpark.Alternative{{Fix: unpark.FixAlone, Throughput: q(1.8)}}, closed[0])}, "throughput if it alone went ×1.80 · halved ×1.30"},
		{"what is asked one after the other", unpark.Prediction{Throughput: unpark.Quantity{Low: unpark.Num(1.2)}, Alternatives: append([]unpark.Alternative{{Fix: unpark.FixTogether, Throughput: q(6.8)}}, closed[0])}, "throughput if asked at once ×6.80"},
		{"an open loop", unpark.Prediction{Alternatives: []unpark.Alternative{{Fix: unpark.FixHalved, Throughput: q(1), P99: q(0.4)}}}, "p99 if halved ×0.40"},
		{"abstained", unpark.Prediction{Alternatives: []unpark.Alternative{{Fix: unpark.FixHalved}, {Fix: unpark.FixSharded, P99: q(0.2)}}}, "p99 if 8 shards ×0.20"},
		{"CPU", unpark.Prediction{CPUSaved: unpark.Measured(310e-6, "s/req", 9)}, "fixing it saves 310 µs of CPU per request"},
		{"no CPU", unpark.Prediction{CPUSaved: unpark.Measured(0, "s/req", 9)}, ""},
	} {
		if got := strings.Join(byParts(c.p), " · "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestBeside: beside the least stands what else is known of the fix, and beside two ends nothing.
func TestBeside(t *testing.T) {
	least := unpark.Quantity{Low: unpark.Num(1.2)}
	q := unpark.Measured(6.8, "ratio", 1)
	for want, p := range map[string]unpark.Prediction{
		"asked at once ×6.80": {Throughput: least, Alternatives: []unpark.Alternative{{Fix: unpark.FixHalved, Throughput: q}, {Fix: unpark.FixTogether, Throughput: q}}},
		"it alone went ×6.80": {Throughput: least, Alternatives: []unpark.Alternative{{Fix: unpark.FixAlone, Throughput: q}}},
	} {
		if got := beside(p); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if p.Throughput = unpark.Between(5, 4, 6, "ratio", 1); beside(p) != "" {
			t.Errorf("beside two ends: %q", beside(p))
		}
	}
	if got := beside(unpark.Prediction{Throughput: least, Alternatives: []unpark.Alternative{{Fix: unpark.FixHalved, Throughput: q}}}); got != "" {
		t.Errorf("half beside the least: %q", got)
	}
}

// TestOneOfEach: one core, CPU, process, request or connection is in the singular.
func TestOneOfEach(t *testing.T) {
	w := unpark.Window{
		Processes: []unpark.Process{{Cores: unpark.Num(0.5), NumCPU: unpark.Num(1)}},
		Machine:   unpark.Machine{CPUs: 1, Busy: unpark.Num(0.7)}, Load: &unpark.Load{Requests: 1, AchievedRPS: 0.1, Errors: 1},
		Profiles: []unpark.ProfileFile{{Kind: unpark.KindCPU, State: unpark.Present}, {Kind: unpark.KindCPU, State: unpark.Off}},
	}
	got := strings.Join(slices.Concat(cpuParts(unpark.Run{}, w), coverageParts(w), hostParts(unpark.Host{CPUs: 1}), speedParts(unpark.Window{Machine: unpark.Machine{Yardstick: unpark.Measured(1.512e-4, "s", 48)}}), windowParts(unpark.Run{}, w), []string{connections(1), many(1, "finding"), many(2, "process")}), " · ")
	for _, want := range []string{"of 1 core ·", "machine 0.70 of 1 core ·", "cpu (of 1 process)", "1 CPU ·", "1 request ·", "1 connection ·", "1 finding ·", "2 processes", "a fixed piece of work took 151 µs (48 times)"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
}

// TestOneSided: of what is too wide to say one end is said: throughput at least, p99 at most.
func TestOneSided(t *testing.T) {
	load := &unpark.Load{AchievedRPS: 1000, Response: unpark.Latency{N: 1000, P50: 0.01, P99: 0.02}}
	got := map[string]string{}
	for _, g := range gains(unpark.Prediction{
		Throughput: unpark.Quantity{Unit: "ratio", Low: unpark.Num(2)}, P99: unpark.Quantity{Unit: "ratio", High: unpark.Num(0.4)},
	}, load) {
		got[g.metric] = g.text
	}
	want := map[string]string{"throughput": "1.00k req/s → 2.00k req/s or more, at least ×2.00", "p99": "20.0 ms → 8.00 ms or less, at most ×0.40"}
	for metric, text := range want {
		if got[metric] != text {
			t.Errorf("%s: %q, want %q", metric, got[metric], text)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%q", got)
	}
	if of := gains(unpark.Prediction{P99: unpark.Quantity{High: unpark.Num(0.4)}}, nil); len(of) != 0 {
		t.Errorf("of no load: %+v", of)
	}
}

// TestForecastRow: a forecast of one end is shown as that end, and judged by it.
func TestForecastRow(t *testing.T) {
	measured := unpark.Measured(3, "ratio", 1)
	for _, c := range []struct {
		predicted unpark.Quantity
		inside    bool
		want      string
	}{
		{unpark.Between(2, 1.5, 4, "ratio", 9), true, "throughput ×2.00 (1.50–4.00) ×3.00 inside"},
		{unpark.Quantity{Unit: "ratio", Low: unpark.Num(2)}, true, "throughput at least ×2.00 ×3.00 inside"},
		{unpark.Quantity{Unit: "ratio", High: unpark.Num(0.5)}, false, "throughput at most ×0.50 ×3.00 outside"},
		{unpark.Quantity{}, false, "throughput ~ ×3.00 ~"},
	} {
		row, _ := forecastRow(unpark.Forecast{Metric: "throughput", Predicted: c.predicted, Measured: measured, Inside: c.inside})
		if got := strings.Join(row, " "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
