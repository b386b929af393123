package expect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// Every lab says what is expected of it, in words that unpark knows.
func TestLabs(t *testing.T) {
	mains, err := filepath.Glob("../*/main.go")
	if err != nil || len(mains) == 0 {
		t.Fatalf("no labs found: %v", err)
	}
	for _, main := range mains {
		dir := filepath.Dir(main)
		if base := filepath.Base(dir); base == "score" || base == "wild" {
			continue // what reads them, and what has cases of its own
		}
		lab, err := Read(filepath.Join(dir, "expect.yaml"))
		if err != nil {
			t.Error(err)
			continue
		}
		if want := "./labs/" + filepath.Base(dir); lab.Package != want {
			t.Errorf("%s: package %s, want %s", dir, lab.Package, want)
		}
		if _, err := os.Stat(filepath.Join(dir, "README.md")); err != nil {
			t.Error(err)
		}
	}
}

func TestBadFiles(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"misspelt key":    {"lab: a\npackage: b\narms: {slow: {limits: [lock]}}\n", "limits not found"},
		"unknown limit":   {"lab: a\npackage: b\narms: {slow: {limit: [luck]}}\n", `limit "luck" is unknown`},
		"unknown class":   {"lab: a\npackage: b\narms: {slow: {absent: [luck]}}\n", `class "luck" is unknown`},
		"no arms":         {"lab: a\npackage: b\n", "arms are needed"},
		"step to nowhere": {"lab: a\npackage: b\narms: {slow: {}}\nsteps: [{before: slow, after: quick, finding: {class: cpu}}]\n", "two arms"},
		"unknown fix":     {"lab: a\npackage: b\narms: {slow: {}, quick: {}}\nsteps: [{before: slow, after: quick, finding: {class: cpu}, fix: most}]\n", `fix "most"`},
		"empty":           {"", "EOF"},
		"unknown void":    {"lab: a\npackage: b\narms: {slow: {void: never}}\n", `void "never"`},
		"name is taken":   {"lab: a\npackage: b\narms: {slow: {also: {url: [-x]}}}\n", `also "url"`},
		"unknown probe":   {"lab: a\npackage: b\nprobe: mine\narms: {slow: {}}\n", `probe "mine"`},
		"demo of nothing": {"lab: a\npackage: b\narms: {slow: {}}\ndemo: {question: why, before: slow, after: quick, fix: none}\n", "demo: a question, two arms"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "expect.yaml")
			if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Read(file); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	get := &unpark.Site{Function: "example.com/shop.(*Cache).Get"}
	lock := unpark.Finding{
		Rank: 1, Class: unpark.ClassLock, Waiter: get, Holder: get, Share: unpark.Num(0.9),
		Prediction: unpark.Prediction{P99: unpark.Measured(0.1, "ratio", 1), Throughput: unpark.Measured(1.01, "ratio", 1)},
	}
	arm := Arm{
		Limit:    []unpark.LimitKind{unpark.LimitLock},
		Findings: []Finding{{Class: unpark.ClassLock, Rank: 1, Waiter: "(*Cache).Get", Holder: "(*Cache).Get", MinP99Gain: 5, MinThroughputGain: 0.9, MaxThroughputGain: 1.05}},
		Absent:   []unpark.Class{unpark.ClassChannel},
	}
	limit := unpark.Limit{Kind: unpark.LimitLock}
	if wrong := arm.Check(unpark.Run{Limit: limit, Findings: []unpark.Finding{lock}}); wrong != nil {
		t.Errorf("a matching verdict differs: %q", wrong)
	}
	for name, tt := range map[string]struct {
		limit   unpark.LimitKind
		change  func(*unpark.Finding)
		mention string
	}{
		"other limit":      {unpark.LimitCPU, func(*unpark.Finding) {}, "limit is"},
		"other class":      {unpark.LimitLock, func(f *unpark.Finding) { f.Class = unpark.ClassCPU }, "no finding is"},
		"second":           {unpark.LimitLock, func(f *unpark.Finding) { f.Rank = 2 }, "no finding is"},
		"no holder":        {unpark.LimitLock, func(f *unpark.Finding) { f.Holder = nil }, "no finding is"},
		"unknown gain":     {unpark.LimitLock, func(f *unpark.Finding) { f.Prediction.P99 = unpark.Quantity{} }, "no finding is"},
		"forbidden class":  {unpark.LimitLock, func(f *unpark.Finding) { f.Class = unpark.ClassChannel }, "finding 1 is"},
		"too large a gain": {unpark.LimitLock, func(f *unpark.Finding) { f.Prediction.Throughput = unpark.Measured(2, "ratio", 1) }, "no finding is"},
		"too small a gain": {unpark.LimitLock, func(f *unpark.Finding) { f.Prediction.Throughput = unpark.Measured(0.8, "ratio", 1) }, "no finding is"},
		"too large a least": {unpark.LimitLock, func(f *unpark.Finding) {
			f.Prediction.Throughput = unpark.Quantity{Unit: "ratio", Low: unpark.Num(2)}
		}, "no finding is"},
	} {
		f := lock
		tt.change(&f)
		wrong := strings.Join(arm.Check(unpark.Run{Limit: unpark.Limit{Kind: tt.limit}, Findings: []unpark.Finding{f}}), "\n")
		if !strings.Contains(wrong, tt.mention) {
			t.Errorf("%s: got %q, want %q", name, wrong, tt.mention)
		}
	}
}

func TestCheckBlocking(t *testing.T) {
	arm := Arm{Blocking: &Blocking{First: "(*lockedSource).Int63", Share: 0.95, CPUShare: 0.05, MaxThroughputGain: 1.05, Negligible: 0.001}}
	good := func() *unpark.Blocking {
		at := &unpark.Site{Function: "math/rand.(*lockedSource).Int63"}
		return &unpark.Blocking{
			Waiters: unpark.Measured(0.01, "waiters", 40), Share: unpark.Measured(0.99, "ratio", 40), CPUShare: unpark.Num(0.01),
			First: &unpark.Finding{Waiter: at, Prediction: unpark.Prediction{Throughput: unpark.Measured(1, "ratio", 1)}},
		}
	}
	for name, tt := range map[string]struct {
		change  func(*unpark.Blocking)
		mention string // empty: met
	}{
		"met":         {func(*unpark.Blocking) {}, ""},
		"other place": {func(b *unpark.Blocking) { b.First.Waiter.Function = "app.other" }, "block in app.other"},
		"share":       {func(b *unpark.Blocking) { b.Share = unpark.Measured(0.9, "ratio", 40) }, "of the blocking"},
		"hot":         {func(b *unpark.Blocking) { b.CPUShare = unpark.Num(0.2) }, "of the CPU"},
		"CPU unknown": {func(b *unpark.Blocking) { b.CPUShare = unpark.Number{} }, "of the CPU"},
		"worth much":  {func(b *unpark.Blocking) { b.First.Prediction.Throughput = unpark.Measured(2, "ratio", 1) }, "throughput ×2"},
		"no price":    {func(b *unpark.Blocking) { b.First.Prediction.Throughput = unpark.Quantity{} }, "throughput"},
		"unnamed":     {func(b *unpark.Blocking) { b.First = nil }, "no place is named"},
		"hardly any": {func(b *unpark.Blocking) {
			b.First, b.Waiters = nil, unpark.Measured(0.0001, "waiters", 2)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := good()
			tt.change(b)
			wrong := strings.Join(arm.Check(unpark.Run{Blocking: b}), "\n")
			if (tt.mention == "") != (wrong == "") || !strings.Contains(wrong, tt.mention) {
				t.Errorf("said %q, want %q", wrong, tt.mention)
			}
		})
	}
	if wrong := arm.Check(unpark.Run{}); len(wrong) != 1 {
		t.Errorf("without a word on blocking: %q", wrong)
	}
}
