package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestBriefFindings: on a terminal a finding takes at most twelve lines, and says where the
// rest is; an experiment is never left out.
func TestBriefFindings(t *testing.T) {
	for name, r := range examples() {
		var b bytes.Buffer
		if err := Brief(&b, r, false); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		checkLines(t, text)
		_, findings, ok := strings.Cut(text, "\nFINDINGS\n")
		if !ok {
			continue
		}
		findings, _, _ = strings.Cut(findings, "\n\n\n")
		for i, one := range strings.Split(findings, "\n\n") {
			if name == "hostile" || i >= len(r.Findings) || r.Findings[i].Experiment != nil || !strings.Contains(one, " · ") {
				break
			}
			if n := strings.Count(strings.TrimRight(one, "\n"), "\n") + 1; n > briefLines {
				t.Errorf("%s: finding %d takes %d lines:\n%s", name, i+1, n, one)
			}
		}
	}
}

// TestBriefSaysWhatIsLeft: what is left out is counted.
func TestBriefSaysWhatIsLeft(t *testing.T) {
	r := lockAtTheKnee()
	f := &r.Findings[0]
	f.Facts = nil
	for i := range 9 {
		f.Facts = append(f.Facts, unpark.Fact{Text: "fact " + itoa(i) + "."})
	}
	var b bytes.Buffer
	if err := Brief(&b, r, false); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if !strings.Contains(text, "fact 0.") || strings.Contains(text, "fact 8.") || !strings.Contains(text, "facts more: -v, or in report.html") {
		t.Errorf("facts are not counted:\n%s", text)
	}
	var asked bytes.Buffer
	if err := Brief(&asked, r, false, "drill has them"); err != nil {
		t.Fatal(err)
	}
	if text := asked.String(); !strings.Contains(text, "facts more: drill has them") || strings.Contains(text, "report.html") || strings.Contains(text, "FILES") || strings.Contains(text, " -v") {
		t.Errorf("for a client that has neither flags nor files:\n%s", text)
	}
	for _, want := range []string{"    do ", "fixing"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
