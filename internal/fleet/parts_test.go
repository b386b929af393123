package fleet

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/clock"
	"github.com/unpark-go/unpark/internal/fleet/wire"
	"github.com/unpark-go/unpark/internal/measure/load"
)

// TestVoid: each reason makes a part void, a hair less does not, and what is left is said.
func TestVoid(t *testing.T) {
	now := clock.New(0)
	sound := func() *part {
		m := &member{agent: Agent{Hello: wire.Hello{Name: "a"}, Clock: clock.Offset{Ahead: 2 * time.Second}}}
		m.task.Plan = &wire.Plan{}
		return &part{member: m, done: &wire.Done{}, record: &load.Record{}}
	}
	s := &Session{f: &Fleet{clock: now}, start: now.Now(), o: Order{Plan: unpark.Plan{Mode: unpark.Constant, RateRPS: 300}}}
	began := func(p *part, off time.Duration) { p.done.Began = s.start + int64(2*time.Second+off) }
	for name, c := range map[string]struct {
		spoil func(p *part)
		want  string
	}{
		"sound": {func(p *part) {
			began(p, 4*time.Millisecond)
			p.silent = 2 * time.Second
			p.drift = 5 * time.Millisecond
		}, ""},
		"late": {func(p *part) { began(p, 6*time.Millisecond) }, "began 6ms from the instant"},
		"late, queued": {func(p *part) {
			began(p, 6*time.Millisecond)
			p.done.Waited = int64(3100 * time.Microsecond)
		}, "began 6ms from the instant that was named: its threads stood ready for 3.1ms without a processor"},
		"early":          {func(p *part) { began(p, -6*time.Millisecond) }, "began 6ms from the instant"},
		"silent":         {func(p *part) { p.silent = 2100 * time.Millisecond }, "lost its link for 2.1s"},
		"drift":          {func(p *part) { p.drift = 7 * time.Millisecond }, "its clock went away from ours by 7ms"},
		"lost":           {func(p *part) { p.lost, p.done = "it was killed", nil }, "it was killed"},
		"error":          {func(p *part) { p.done.Err = "it broke" }, "it broke"},
		"generator":      {func(p *part) { p.done.Void = []unpark.Notice{{Message: "the generator was the limit"}} }, "generator was the limit"},
		"capture, limit": {func(p *part) { p.task.Plan, p.done.Void = nil, []unpark.Notice{{Message: "x"}} }, ""},
	} {
		p := sound()
		c.spoil(p)
		if got := s.void(p); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if late, little := 6*time.Millisecond, 2900*time.Microsecond; why(late, little) != "" {
		t.Errorf("%v of %v in a queue is most of it", little, late)
	}
	bad := sound()
	bad.done.Err = "it broke"
	if r := s.judge([]*part{sound(), sound(), bad}); len(r.Void) != 1 {
		t.Errorf("a third is missing, and the run is not void: %+v", r)
	}
	bad.task.Plan = nil
	if r := s.judge([]*part{sound(), bad}); len(r.Void) != 0 || len(r.Warnings) != 1 {
		t.Errorf("a capture is missing: %+v", r)
	}
	if got := s.worth(2, 3); !strings.Contains(got, "the other 2 of 3: 200 of 300 req/s") {
		t.Error(got)
	}
}

// TestReasons: what is so of several parts is said once: of all of them, of some, and of generators whose figures differ. Other reasons
// stay apart.
func TestReasons(t *testing.T) {
	now := clock.New(0)
	s := &Session{f: &Fleet{clock: now}, start: now.Now(), o: Order{Plan: unpark.Plan{Mode: unpark.Constant, RateRPS: 300}}}
	of := func(name string) *part {
		m := &member{agent: Agent{Hello: wire.Hello{Name: name}}}
		m.task.Plan = &wire.Plan{}
		return &part{member: m, done: &wire.Done{}, record: &load.Record{}}
	}
	limit := func(code, why string) func(*part) {
		return func(p *part) { p.done.Void = []unpark.Notice{{Code: code, Message: why, Cure: "lower the rate"}} }
	}
	link := func(p *part) { p.silent = 3 * time.Second }
	sound := func(*part) {}
	for want, spoil := range map[string][3]func(*part){
		"3 parts are void: all 3 agents: late by 7 ms (the figures of a). No": {limit("lag", "late by 7 ms"), limit("lag", "late by 8 ms"), limit("lag", "late by 9 ms")},
		"3 parts are void: all 3 agents: late. No":                            {limit("lag", "late"), limit("lag", "late"), limit("lag", "late")},
		"3 parts are void: a, c: late; b: full. No":                           {limit("lag", "late"), limit("cpu", "full"), limit("lag", "late")},
		"2 parts are void: a, b: it lost its link for 3s. The":                {link, link, sound},
		"2 parts are void: a: it lost its link for 3s; b: late. The":          {link, limit("lag", "late"), sound},
		"1 part is void: b: late. The":                                        {sound, limit("lag", "late"), sound},
	} {
		parts := []*part{of("a"), of("b"), of("c")}
		for i, f := range spoil {
			f(parts[i])
		}
		r := s.judge(parts)
		if len(r.Void) != 1 || !strings.HasPrefix(r.Void[0].Message, want) {
			t.Errorf("%+v, want %q", r.Void, want)
			continue
		}
		if own, cure := !strings.Contains(want, ";") && !strings.Contains(want, "link"), r.Void[0].Cure; (cure == "lower the rate") != own {
			t.Errorf("%s: %s", want, cure)
		}
	}
}

// TestOwns: an agent puts files of its own processes into the run, and nothing else.
func TestOwns(t *testing.T) {
	p := &part{member: &member{numbers: map[int]int{7: 7, 8: -1}}}
	for file, want := range map[string]bool{
		"window-01/7/cpu.pb.gz": true, "window-01/-1/trace.out": true, "window-01/metrics.jsonl": true,
		"window-01/8/cpu.pb.gz": false, "window-02/7/cpu.pb.gz": false, "run.json": false, "window-01": false,
	} {
		if p.owns("window-01", file) != want {
			t.Errorf("%s: %v", file, !want)
		}
	}
}

// TestNumbers: processes keep their numbers where these are theirs alone.
func TestNumbers(t *testing.T) {
	s := &Session{o: Order{Taken: []int{10, -1}}, members: []*member{{pids: []int{10, 11}}, {pids: []int{11, 12, -3}}}}
	s.number()
	if a, b := s.members[0].numbers, s.members[1].numbers; a[10] != -2 || a[11] != 11 || b[11] != -3 || b[12] != 12 || b[-3] != -4 {
		t.Errorf("%v, %v", a, b)
	}
}

func TestPhases(t *testing.T) {
	for _, captured := range []bool{false, true} {
		at := time.Duration(0)
		for _, p := range Phases(5*time.Second, 15*time.Second, 3*time.Second, time.Second, captured) {
			if p.At < at {
				t.Errorf("%s begins at %v, before %v", p.Name, p.At, at)
			}
			at = p.At + p.Length
		}
	}
	if p := Phases(0, time.Second, 0, 0, false); len(p) != 1 || p[0].At != 0 || p[0].Name != "window" {
		t.Errorf("%+v", p)
	}
}

// TestBeside: what the service answered to parts that do not count is counted, of one that is lost as far as it was heard of.
func TestBeside(t *testing.T) {
	start := clock.New(0)
	s := &Session{f: &Fleet{clock: start}, start: start.Now(), o: Order{Plan: unpark.Plan{Mode: unpark.Constant, RateRPS: 300}}}
	s.Course = &Course{s: s, phases: []wire.Phase{{Name: "warmup", Length: time.Second}, {Name: "window", At: time.Second, Length: 20 * time.Second}}}
	s.o.Create = func(string) (io.WriteCloser, error) { return nil, io.EOF }
	record := func(n int64) *load.Record {
		text := fmt.Sprintf(`{"mode":"constant","stretches":[{"phase":"window","length_s":20,"parts":1,"tally":{"requests":%d,"response":{"digits":3},"service":{"digits":3},"lag":{"digits":3},"own_lag":{"digits":3}}}]}`, n)
		r, err := load.ReadRecord(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	of := func(name string) *part {
		m := &member{agent: Agent{Hello: wire.Hello{Name: name}}}
		m.task.Plan = &wire.Plan{}
		return &part{member: m, done: &wire.Done{Answered: 2000, Began: s.start}, record: record(2000)}
	}
	at := func(d time.Duration) time.Time { return s.Start().Add(time.Second + d) } // of the window
	late := func(p *part) { p.done.Began += int64(9 * time.Millisecond) }
	lost := func(said time.Duration) func(*part) {
		return func(p *part) {
			p.lost, p.done, p.record = "it has said nothing", nil, nil
			p.heard, p.last = at(said), wire.Sign{RPS: 100, Answered: max(0, int64(100*said.Seconds()))}
		}
	}
	for name, c := range map[string]struct {
		spoil  func(*part)
		beside unpark.Number
		said   string
	}{
		"none":                  {func(*part) {}, unpark.Number{}, ""},
		"late":                  {late, unpark.Num(2000), "Costs per request are those of all requests, also of 2000 requests that it answered to void parts"},
		"ended early":           {func(p *part) { p.done.Err, p.done.Answered, p.record = "it broke", 700, nil }, unpark.Num(700), "of 700 requests"},
		"lost in the window":    {lost(10 * time.Second), unpark.Num(1000), "of 1000 requests that it answered to void parts; up to 600 more of a lost one are not known, so that costs may be too high by 20.0 %"},
		"lost near its end":     {lost(18 * time.Second), unpark.Num(1800), "up to 200 more"},
		"lost in the warm-up":   {lost(-2 * time.Second), unpark.Num(0), "up to 400 more"},
		"lost before it by far": {lost(-7 * time.Second), unpark.Num(0), "of 0 requests that it answered to void parts"},
		"lost after it":         {func(p *part) { lost(25 * time.Second)(p); p.last.Answered = 2000 }, unpark.Num(2000), "of 2000 requests"},
		"only captured":         {func(p *part) { p.task.Plan, p.done.Err, p.record = nil, "it broke", nil }, unpark.Number{}, ""},
	} {
		bad := of("b")
		c.spoil(bad)
		r := s.judge([]*part{of("a"), bad})
		window, _, _ := r.Loads()
		if window.Beside != c.beside {
			t.Errorf("%s: %v beside, want %v", name, window.Beside, c.beside)
		}
		said := ""
		for _, n := range append(r.Void, r.Warnings...) {
			said += n.Message
		}
		if !strings.Contains(said, c.said) || strings.Contains(said, "Costs") != (c.said != "") || strings.Contains(said, "more of") != strings.Contains(c.said, "more") {
			t.Errorf("%s: %q, want %q", name, said, c.said)
		}
	}
	s.o.Create = nil
	bad := of("b")
	late(bad)
	if r := s.judge([]*part{of("a"), bad}); strings.Contains(r.Void[0].Message, "Costs") {
		t.Errorf("of a load alone: %q", r.Void[0].Message)
	}
}
