package expect

import (
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
)

func TestJudge(t *testing.T) {
	get, put := &unpark.Site{Function: "example.com/shop.(*Cache).Get"}, &unpark.Site{Function: "example.com/shop.(*Cache).Put"}
	lock := unpark.Finding{Rank: 1, Class: unpark.ClassLock, Waiter: get, Holder: put}
	cpu := unpark.Finding{Rank: 1, Class: unpark.ClassCPU, Site: *get}
	at := func(f unpark.Finding, rank int) unpark.Finding {
		f.Rank = rank
		return f
	}
	arm := Arm{
		Limit:    []unpark.LimitKind{unpark.LimitLock},
		Findings: []Finding{{Class: unpark.ClassLock, Waiter: "(*Cache).Get", Holder: "(*Cache).Put"}},
		Absent:   []unpark.Class{unpark.ClassLeak},
	}
	healthy := Arm{Absent: []unpark.Class{unpark.ClassLock}}
	priced := Arm{Findings: []Finding{{Class: unpark.ClassLock, MaxThroughputGain: 9}}}
	for name, tt := range map[string]struct {
		arm   Arm
		limit unpark.LimitKind
		found []unpark.Finding
		want  Judgement
		right bool
	}{
		"all right":     {arm, unpark.LimitLock, []unpark.Finding{lock}, Judgement{Limit: Right, Asked: true, Culprit: 1, Waiter: Right, Holder: Right}, true},
		"second":        {arm, unpark.LimitLock, []unpark.Finding{cpu, at(lock, 2)}, Judgement{Limit: Right, Asked: true, Culprit: 2, Waiter: Right, Holder: Right}, false},
		"limit":         {arm, unpark.LimitCPU, []unpark.Finding{lock}, Judgement{Limit: Wrong, Asked: true, Culprit: 1, Waiter: Right, Holder: Right}, false},
		"other holder":  {arm, unpark.LimitLock, []unpark.Finding{{Rank: 1, Class: unpark.ClassLock, Waiter: get, Holder: get}}, Judgement{Limit: Right, Asked: true, Culprit: 1, Waiter: Right, Holder: Wrong}, false},
		"not there":     {arm, unpark.LimitLock, []unpark.Finding{cpu}, Judgement{Limit: Right, Asked: true, Waiter: Wrong, Holder: Wrong}, false},
		"false alarm":   {healthy, unpark.LimitNone, []unpark.Finding{lock}, Judgement{Alarms: []string{"lock: "}}, false},
		"healthy":       {healthy, unpark.LimitNone, nil, Judgement{}, true},
		"worth nothing": {priced, unpark.LimitNone, []unpark.Finding{at(lock, 2)}, Judgement{}, true},
	} {
		got := tt.arm.Judge(unpark.Run{Limit: unpark.Limit{Kind: tt.limit}, Findings: tt.found})
		if got.Right() != tt.right {
			t.Errorf("%s: right %t: %q", name, got.Right(), got.Problems)
		}
		same := got.Limit == tt.want.Limit && got.Asked == tt.want.Asked && got.Culprit == tt.want.Culprit &&
			got.Waiter == tt.want.Waiter && got.Holder == tt.want.Holder && slices.Equal(got.Alarms, tt.want.Alarms)
		if !same {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

func TestVoid(t *testing.T) {
	void := unpark.Run{Void: []unpark.Notice{{Code: "generator"}}}
	for name, tt := range map[string]struct {
		arm   Arm
		run   unpark.Run
		right bool
	}{
		"asked for":     {Arm{Void: MustBeVoid}, void, true},
		"not asked for": {Arm{}, void, false},
		"allowed":       {Arm{Void: "may"}, void, true},
		"not needed":    {Arm{Void: "may"}, unpark.Run{}, true},
		"missed":        {Arm{Void: MustBeVoid}, unpark.Run{}, false},
	} {
		if got := tt.arm.Judge(tt.run); got.Right() != tt.right {
			t.Errorf("%s: %q", name, got.Problems)
		}
	}
}

func TestLocated(t *testing.T) {
	arm := Arm{
		Args: []string{"-ask", "http://{beside}", "-stock", "{stock}"}, Beside: []string{"-addr", "{beside}", "-slow", "{url}"}, Path: "/a",
		Also: Also{"stock": {"-from", "{beside}"}},
	}
	got := arm.Located("http://h:1", "h:2", map[string]string{"stock": "h:3"})
	if want := []string{"-ask", "http://h:2", "-stock", "h:3"}; !slices.Equal(got.Args, want) {
		t.Errorf("arguments %q, want %q", got.Args, want)
	}
	if want := []string{"-addr", "h:2", "-slow", "http://h:1/a"}; !slices.Equal(got.Beside, want) {
		t.Errorf("beside %q, want %q", got.Beside, want)
	}
	if want := []string{"-from", "h:2"}; !slices.Equal(got.Also["stock"], want) || arm.Also["stock"][1] != "{beside}" {
		t.Errorf("also %q, want %q; the arm has %q", got.Also["stock"], want, arm.Also["stock"])
	}
	if !arm.ServesBeside() || got.ServesBeside() || arm.Args[1] != "http://{beside}" {
		t.Errorf("the arm was changed: %+v", arm)
	}
}

// Without forecasts the cause is still asked for.
func TestUnforecast(t *testing.T) {
	arm := Arm{Findings: []Finding{{Class: unpark.ClassLock, Rank: 1, MinP99Gain: 5, MinThroughputGain: 2}}}
	lock := unpark.Finding{Rank: 1, Class: unpark.ClassLock, Prediction: unpark.Prediction{P99: unpark.Measured(0.5, "ratio", 1)}}
	run := unpark.Run{Findings: []unpark.Finding{lock}}
	if arm.Judge(run).Right() || !arm.Unforecast().Judge(run).Right() || arm.Findings[0].MinP99Gain != 5 {
		t.Errorf("%q, without forecasts %q", arm.Judge(run).Problems, arm.Unforecast().Judge(run).Problems)
	}
	if arm.Unforecast().Judge(unpark.Run{}).Right() {
		t.Error("nothing was found, and that is right")
	}
}

// A finding and the way that requests are joined are those of the service that is asked.
func TestAlso(t *testing.T) {
	arm := Arm{
		Also: Also{"stock": {"-serve", "stock"}}, Joined: unpark.ByTraceparent,
		Findings: []Finding{{Class: unpark.ClassLock, Service: "stock"}},
	}
	run := func(service, finding string, how unpark.JoinedBy, unsure string) unpark.Run {
		return unpark.Run{
			Services: []unpark.Service{{Name: service, Join: unpark.Join{How: how, Unsure: unsure}}},
			Findings: []unpark.Finding{{Rank: 1, Class: unpark.ClassLock, Service: finding}},
		}
	}
	for name, tt := range map[string]struct {
		run   unpark.Run
		right bool
	}{
		"as expected":         {run("stock", "stock", unpark.ByTraceparent, ""), true},
		"not captured":        {run("prices", "stock", unpark.ByTraceparent, ""), false},
		"its own":             {run("stock", "", unpark.ByTraceparent, ""), false},
		"joined by something": {run("stock", "stock", unpark.ByConnections, ""), false},
		"not joined surely":   {run("stock", "stock", unpark.ByTraceparent, "others ask it too"), false},
	} {
		if j := arm.Judge(tt.run); j.Right() != tt.right {
			t.Errorf("%s: %q", name, j.Problems)
		}
	}
}
