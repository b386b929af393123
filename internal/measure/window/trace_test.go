package window

import (
	"math"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

func TestTraceLength(t *testing.T) {
	unknown := unpark.Number{}
	tests := []struct {
		name            string
		requests, bytes unpark.Number
		want            time.Duration
	}{
		{"nothing is known", unknown, unknown, time.Second},
		{"nobody asks", unpark.Num(0), unknown, time.Second},
		{"enough in the first second", unpark.Num(5000), unpark.Num(5000 * 350), time.Second},
		{"enough after four", unpark.Num(500), unpark.Num(500 * 350), 4 * time.Second},
		{"never enough", unpark.Num(20), unpark.Num(7000), 10 * time.Second},
		{"350k a second", unpark.Num(350_000), unpark.Num(350_000 * 350), 210 * time.Millisecond},
		{"few requests, each of many switches", unpark.Num(20), unpark.Num(20 << 20), 1200 * time.Millisecond},
		{"a storm", unknown, unpark.Num(1e12), shortestTrace},
		{"traffic of others, busy", unknown, unpark.Num(10 << 20), time.Second},
		{"traffic of others, hardly any", unknown, unpark.Num(1000), 10 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := activity{requests: tt.requests, bytes: tt.bytes}
			if got := a.length(time.Second, 10*time.Second); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
			if got := a.length(time.Second, time.Second); got > time.Second {
				t.Errorf("%v where it may not become longer", got)
			}
		})
	}
}

func TestRate(t *testing.T) {
	ticks := []unpark.Tick{{RPS: 9, Phase: "warmup"}, {RPS: 100, Phase: "window"}, {RPS: 200, Phase: "window"}, {RPS: 7, Phase: "reading"}}
	if v, ok := rate(ticks).Get(); !ok || v != 150 {
		t.Errorf("%v, %v", v, ok)
	}
	if rate(ticks[:1]).Known() {
		t.Error("a rate of a window without ticks")
	}
}

func TestTraceCost(t *testing.T) {
	l := func(mode unpark.Mode, rps, p50 float64, n int64) unpark.Load {
		return unpark.Load{Mode: mode, AchievedRPS: rps, Response: unpark.Latency{P50: p50, N: n}}
	}
	beside := []unpark.Load{l(unpark.Closed, 1050, 0.0105, 3000), l(unpark.Closed, 1150, 0.0115, 3000)}
	var o unpark.Observer
	traceCost(&o, l(unpark.Closed, 990, 0.0121, 1000), beside)
	if v, ok := o.TraceThroughput.Get(); !ok || math.Abs(v-0.9) > 1e-9 {
		t.Errorf("throughput %v, %v", v, ok)
	}
	if v, ok := o.TraceLatency.Get(); !ok || math.Abs(v-1.1) > 1e-9 {
		t.Errorf("p50 %v, %v", v, ok)
	}
	o = unpark.Observer{}
	steady := l(unpark.Constant, 500, 0.01, 1500)
	traceCost(&o, l(unpark.Constant, 500, 0.01, 1000), []unpark.Load{steady, steady})
	if o.TraceThroughput.Known() || !o.TraceLatency.Known() {
		t.Errorf("an open loop has its rate whatever tracing costs: %+v", o)
	}
	o = unpark.Observer{}
	traceCost(&o, l(unpark.Closed, 500, 0.01, 99), beside)
	traceCost(&o, l(unpark.Closed, 500, 0.01, 1000), beside[:1])
	traceCost(&o, l(unpark.Closed, 500, 0.01, 1000), []unpark.Load{beside[0], l(unpark.Closed, 1050, 0.0105, 99)})
	traceCost(&o, l(unpark.Closed, 500, 0.01, 1000), []unpark.Load{beside[0], l(unpark.Closed, 1500, 0.02, 3000)})
	if o != (unpark.Observer{}) {
		t.Errorf("told from too little, or from what was not steady: %+v", o)
	}
}

func TestSlowAnswer(t *testing.T) {
	window := func(rps float64, p99 ...float64) []unpark.Tick {
		out := []unpark.Tick{{P99: 100, RPS: 1000, Phase: "warmup"}}
		for _, v := range p99 {
			out = append(out, unpark.Tick{P50: 1, P99: v, RPS: rps, Phase: "window"})
		}
		return append(out, unpark.Tick{P99: 100, RPS: 1000, Phase: "reading"})
	}
	tests := []struct {
		name  string
		ticks []unpark.Tick
		want  unpark.Number
	}{
		{"no window", window(10), unpark.Number{}},
		{"only silence", window(0, 0, 0, 0), unpark.Number{}},
		{"few answers: the slowest", window(10, 1, 5, 2, 3), unpark.Num(3)},
		{"300 answers: the third", window(60, 1, 5, 2, 4, 3), unpark.Num(2)},
		{"many answers: the middle", window(150, 1, 5, 2, 4, 3), unpark.Num(2)},
		{"all alike", window(10, 1, 1, 1), unpark.Num(1)},
	}
	for _, tt := range tests {
		if got := slowAnswer(tt.ticks); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestSlowSince(t *testing.T) {
	ticks := []unpark.Tick{{At: 3, P99: 9}, {At: 4, P99: 1}, {At: 5, P99: 3}, {At: 6, P99: 1}}
	tests := []struct {
		since, slow float64
		want        bool
	}{
		{0, 2, true}, {4, 2, true}, {4.5, 2, false}, // the slow tick began before
		{0, 10, false}, {3, 3, false}, {7, 0, false},
	}
	for _, tt := range tests {
		if got := slowSince(ticks, tt.since, tt.slow); got != tt.want {
			t.Errorf("since %v, slower than %v: %v", tt.since, tt.slow, got)
		}
	}
}
