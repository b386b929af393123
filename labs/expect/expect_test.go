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
		"misspelt key":  {"lab: a\npackage: b\narms: {slow: {limits: [lock]}}\n", "limits not found"},
		"unknown limit": {"lab: a\npackage: b\narms: {slow: {limit: [luck]}}\n", `limit "luck" is unknown`},
		"unknown class": {"lab: a\npackage: b\narms: {slow: {absent: [luck]}}\n", `class "luck" is unknown`},
		"no arms":       {"lab: a\npackage: b\n", "arms are needed"},
		"empty":         {"", "EOF"},
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
		Findings: []Finding{{Class: unpark.ClassLock, Rank: 1, Waiter: "(*Cache).Get", Holder: "(*Cache).Get", MinP99Gain: 5, MaxThroughputGain: 1.05}},
		Absent:   []unpark.Class{unpark.ClassChannel},
	}
	limit := unpark.Limit{Kind: unpark.LimitLock}
	if wrong := arm.Check(limit, []unpark.Finding{lock}); wrong != nil {
		t.Errorf("a matching verdict differs: %q", wrong)
	}
	for name, tt := range map[string]struct {
		limit   unpark.LimitKind
		change  func(*unpark.Finding)
		mention string
	}{
		"other limit":      {unpark.LimitCPU, func(*unpark.Finding) {}, "limit is"},
		"other class":      {unpark.LimitLock, func(f *unpark.Finding) { f.Class = unpark.ClassCPU }, "no finding"},
		"second":           {unpark.LimitLock, func(f *unpark.Finding) { f.Rank = 2 }, "no finding"},
		"no holder":        {unpark.LimitLock, func(f *unpark.Finding) { f.Holder = nil }, "no finding"},
		"unknown gain":     {unpark.LimitLock, func(f *unpark.Finding) { f.Prediction.P99 = unpark.Quantity{} }, "no finding"},
		"forbidden class":  {unpark.LimitLock, func(f *unpark.Finding) { f.Class = unpark.ClassChannel }, "finding 1 is"},
		"too large a gain": {unpark.LimitLock, func(f *unpark.Finding) { f.Prediction.Throughput = unpark.Measured(2, "ratio", 1) }, "no finding"},
	} {
		f := lock
		tt.change(&f)
		wrong := strings.Join(arm.Check(unpark.Limit{Kind: tt.limit}, []unpark.Finding{f}), "\n")
		if !strings.Contains(wrong, tt.mention) {
			t.Errorf("%s: got %q, want %q", name, wrong, tt.mention)
		}
	}
}
