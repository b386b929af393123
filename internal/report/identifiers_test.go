package report

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestIdentifiersAreWhole: a process and a line have a number, not an amount.
func TestIdentifiersAreWhole(t *testing.T) {
	r := capture()
	w := &r.Windows[0]
	w.Processes[0].PID = 123456
	for i := range w.Profiles {
		w.Profiles[i].PID = 123456
	}
	r.Findings[0].Site.Line = 23456
	r.Warnings, r.Unsaid = nil, nil
	for name, f := range writers() {
		text := render(t, f, r)
		for _, want := range []string{"123456", ":23456"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %s", name, want)
			}
		}
		for _, not := range []string{"123k", "23.5k", "123,456", "23,456"} {
			if strings.Contains(text, not) {
				t.Errorf("%s: an identifier is printed as %s", name, not)
			}
		}
	}
}

// TestBenchmark: a run of a Go benchmark has a module for a target and no directory.
func TestBenchmark(t *testing.T) {
	r := lockAtTheKnee()
	r.Target = unpark.Target{Module: "example.com/shop/lookup", Go: "go1.26.8"}
	text := render(t, Text, r)
	if want := "\n  target    example.com/shop/lookup · go1.26.8\n  load "; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	for _, not := range []string{"report.html", "run directory"} {
		if strings.Contains(text, not) {
			t.Errorf("%q in\n%s", not, text)
		}
	}
}

// TestFewFacts: a text has the first facts of a finding and says where the others are;
// a page has all.
func TestFewFacts(t *testing.T) {
	r := lockAtTheKnee()
	f := &r.Findings[0]
	f.Facts = nil
	for i := range mostFacts + 9 {
		f.Facts = append(f.Facts, unpark.Fact{Text: "fact " + itoa(i) + "."})
	}
	for want, has := range map[string]bool{"fact 0.": true, "fact " + itoa(mostFacts-1) + ".": true, "fact " + itoa(mostFacts) + ".": false, "             + 9 more in report.html\n": true} {
		if text := render(t, Text, r); strings.Contains(text, want) != has {
			t.Errorf("%q is there: %v, want %v in\n%s", want, !has, has, text)
		}
	}
	if page := render(t, alone, r); !strings.Contains(page, "fact "+itoa(mostFacts+8)+".") {
		t.Error("the page has not all facts")
	}
	r.Target = unpark.Target{}
	if text := render(t, Text, r); !strings.Contains(text, "+ 9 more with --json\n") {
		t.Error(text)
	}
	f.Facts = f.Facts[:mostFacts+1]
	if text := render(t, Text, r); strings.Contains(text, " more with") || !strings.Contains(text, "fact "+itoa(mostFacts)+".") {
		t.Error(text)
	}
}

// TestLooseFiles: of loose files nothing is said that only a run would know.
func TestLooseFiles(t *testing.T) {
	r := capture()
	r.Host, r.Blocking, r.Findings, r.Warnings = unpark.Host{}, nil, nil, nil
	r.Windows[0].Processes = nil
	text := render(t, Text, r)
	for _, not := range []string{"EPYC", "cost ~", "target ~", "run directory"} {
		if strings.Contains(text, not) {
			t.Errorf("%q in\n%s", not, text)
		}
	}
	for _, want := range []string{"WHAT THE PROFILES HOLD", "NOT KNOWN WITHOUT MORE", "0.90 cores", "memmove_amd64.s:12345"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
