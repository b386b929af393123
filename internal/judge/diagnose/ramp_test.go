package diagnose_test

import (
	"math"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// ramp is a window of 20 seconds in which the rate rises from 100 to 500/s after two
// seconds of warm-up. What the service answers, in what time and with how many cores is
// given by second of the window and offered rate.
func ramp(answer func(second int, offered float64) (rps, p50 float64, cores unpark.Number)) facts.Evidence {
	ev := calm()
	ev.Plan = unpark.Plan{Mode: unpark.Ramp, Stages: []unpark.Stage{{From: 100, To: 500, Duration: 20}}, Warmup: 2}
	var sum, cores float64
	for i := range 22 {
		offered := 100 + 400*max(0, float64(i)-1.5)/20
		tick := unpark.Tick{At: float64(i + 1), RPS: 100, P50: 0.010, Phase: "warmup"}
		if i >= 2 {
			tick.Phase = "window"
			tick.RPS, tick.P50, tick.Cores = answer(i-2, offered)
			sum += tick.RPS
			cores += tick.Cores.Or(0) / 20
		}
		ev.Window.Timeline = append(ev.Window.Timeline, tick)
	}
	ev.Seconds, ev.Requests = 20, unpark.Num(sum)
	ev.Window.Load.Mode, ev.Window.Load.Seconds = unpark.Ramp, 20
	ev.Window.Load.OfferedRPS, ev.Window.Load.AchievedRPS = 300, sum/20
	ev.CPU.Cores = unpark.Num(cores)
	ev.Waits[0].Delay = 0.4 * sum * 0.010
	return ev
}

// full has its three cores busy at 400/s and answers no more.
func full(_ int, offered float64) (rps, p50 float64, cores unpark.Number) {
	if offered < 400 {
		return math.Round(offered), 0.010, unpark.Num(3 * offered / 400)
	}
	return 400, 0.050, unpark.Num(2.97)
}

func TestRampIsJudgedWhereItIsTooMuch(t *testing.T) {
	tests := []struct {
		name   string
		answer func(int, float64) (float64, float64, unpark.Number)
		want   unpark.LimitKind
		says   string
	}{
		{"full in the last quarter", full, unpark.LimitCPU, "17 s after the load began the service fell behind the ramp, which the window's mean hides: from then on it answered 400 req/s of 450 req/s; the service uses 2.97 of the 3 cores"},
		{"it keeps up", func(_ int, offered float64) (float64, float64, unpark.Number) {
			return math.Round(offered), 0.010, unpark.Num(offered / 400)
		}, unpark.LimitNone, "the service kept up with the ramp to 490 req/s"},
		{"counts that are rounded, and no queue", func(second int, offered float64) (float64, float64, unpark.Number) {
			if second/3 == 4 {
				offered *= 0.95
			}
			return offered, 0.010, unpark.Num(offered / 400)
		}, unpark.LimitNone, "nothing is wrong"},
		{"one pause", func(second int, offered float64) (float64, float64, unpark.Number) {
			switch second {
			case 10:
				return offered / 2, 0.3, unpark.Num(0.1)
			case 11:
				return 1.5 * offered, 0.3, unpark.Num(1)
			}
			return offered, 0.010, unpark.Num(offered / 400)
		}, unpark.LimitNone, "nothing is wrong"},
		{"what it used there is not known", func(second int, offered float64) (float64, float64, unpark.Number) {
			rps, p50, _ := full(second, offered)
			return rps, p50, unpark.Number{}
		}, unpark.LimitUnknown, "fell behind the ramp"},
		{"behind, with processors left", func(second int, offered float64) (float64, float64, unpark.Number) {
			rps, p50, _ := full(second, offered)
			return rps, p50, unpark.Num(0.5)
		}, unpark.LimitUnknown, "the service answered 400 req/s of 450 req/s offered, and neither CPU (17 %)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			limit, _, _ := diagnose.Verdict(ramp(tt.answer), nil)
			if limit.Kind != tt.want || !strings.Contains(limit.Why, tt.says) {
				t.Errorf("%s: %s\nwant %s with %q", limit.Kind, limit.Why, tt.want, tt.says)
			}
		})
	}
	// Too much in the last second: what comes after the window says whether that was a pause.
	last := func(second int, offered float64) (float64, float64, unpark.Number) {
		if second < 19 {
			return math.Round(offered), 0.010, unpark.Num(2.9 * offered / 500)
		}
		return 400, 0.050, unpark.Num(2.97)
	}
	for rps, want := range map[float64]unpark.LimitKind{400: unpark.LimitCPU, 500: unpark.LimitNone} {
		ev := ramp(last)
		for i := range 3 {
			ev.Window.Timeline = append(ev.Window.Timeline, unpark.Tick{At: float64(23 + i), RPS: rps, P50: 0.1, Phase: "reading"})
		}
		if limit, _, _ := diagnose.Verdict(ev, nil); limit.Kind != want {
			t.Errorf("%v/s after the window: %s: %s, want %s", rps, limit.Kind, limit.Why, want)
		}
	}
	if limit, _, _ := diagnose.Verdict(ramp(full), nil); limit.Ceiling.Value.Or(0) != 400 {
		t.Errorf("ceiling %v, want what it answered", limit.Ceiling)
	}
	constant := ramp(full)
	constant.Plan.Mode = unpark.Constant
	if limit, _, _ := diagnose.Verdict(constant, nil); strings.Contains(limit.Why, "ramp") {
		t.Errorf("a constant rate is told as a ramp: %s", limit.Why)
	}
	if limit, _, _ := diagnose.Verdict(ramp(full), []unpark.Notice{{Code: "target-died", Message: "it died"}}); strings.Contains(limit.Why, "ramp") {
		t.Errorf("a void run is judged: %s", limit.Why)
	}
}

// TestRampStarvesLocks: where a ramp fills the CPU, requests meet at locks whose holders
// have no processor, whatever the mean of the window says of the CPU.
func TestRampStarvesLocks(t *testing.T) {
	for _, tt := range []struct {
		name   string
		full   bool
		listed bool
	}{{"full at its end", true, false}, {"kept up with", false, true}} {
		ev := ramp(func(second int, offered float64) (float64, float64, unpark.Number) {
			if tt.full {
				return full(second, offered)
			}
			return offered, 0.010, unpark.Num(offered / 400)
		})
		ev.Locks = []facts.Lock{contended(12, 0)}
		_, findings, _ := diagnose.Verdict(ev, nil)
		if f := of(unpark.ClassLock, findings); (len(f) > 0) != tt.listed {
			t.Errorf("%s: %+v", tt.name, f)
		}
	}
}

// A quota is what the CPU of every function goes into, and no part of the whole: its use
// is a fact and not a share by which it could come before the function that fills it.
func TestQuotaHasNoShare(t *testing.T) {
	ev := calm()
	ev.Target.Quota, ev.CPU.Allowed = unpark.Num(1), unpark.Num(1)
	ev.CPU.Cores, ev.CPU.Throttled = unpark.Num(0.98), unpark.Num(0.4)
	_, findings, _ := diagnose.Verdict(ev, nil)
	f := of(unpark.ClassQuota, findings)
	if len(f) != 1 || f[0].Share.Known() || !strings.Contains(texts(f[0]), "share of the allowed cores in use") {
		t.Errorf("%+v", f)
	}
}
