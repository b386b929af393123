package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestFinding: one finding in full, and what each fix would do, also of one whose names are hostile.
func TestFinding(t *testing.T) {
	for name, run := range examples() {
		for i, f := range run.Findings {
			for _, fix := range []unpark.Fix{"", unpark.FixGone, unpark.FixHalved, unpark.FixSharded, "\x1b[31m"} {
				var b bytes.Buffer
				if err := Finding(&b, run, f, fix); err != nil {
					t.Fatal(err)
				}
				for line := range strings.Lines(b.String()) {
					if w := width(strings.TrimSuffix(line, "\n")); w > columns {
						t.Errorf("%s %d %q: a line of %d columns: %q", name, i, fix, w, line)
					}
				}
				if strings.ContainsAny(b.String(), "\x1b\a\u202e") || b.Len() == 0 {
					t.Errorf("%s %d %q: %q", name, i, fix, b.String())
				}
				if name == "lock" && i == 0 && (fix == "" || fix == unpark.FixGone) {
					golden(t, strings.TrimSuffix("one-lock-"+string(fix), "-")+".txt", b.Bytes())
				}
			}
		}
	}
	f := unpark.Finding{Title: "a lock", Prediction: unpark.Prediction{Alternatives: []unpark.Alternative{{Fix: unpark.FixHalved}}}}
	var b bytes.Buffer
	if err := Finding(&b, unpark.Run{}, f, unpark.FixSharded); err != nil || !strings.Contains(b.String(), "nothing is known of sharded-8 for this finding: forecasts are of gone, halved") {
		t.Errorf("%v: %s", err, &b)
	}
}

// TestChange: code that is to be copied has its lines, and their ends.
func TestChange(t *testing.T) {
	long := "var " + strings.Repeat("long", 40) + "End int"
	f := unpark.Finding{Title: "a queue", Remedies: []unpark.Remedy{{Title: "Widen it", Change: "for range 8 {\n\tgo work()\n}\n" + long + "\nx := \"\x1b[2J\""}}}
	var b bytes.Buffer
	if err := Finding(&b, unpark.Run{}, f, ""); err != nil {
		t.Fatal(err)
	}
	const indent = "\n             "
	got := b.String()
	if !strings.Contains(got, indent+"for range 8 {"+indent+"    go work()"+indent+"}"+indent+"var ") || !strings.Contains(strings.ReplaceAll(got, indent, ""), long) ||
		strings.ContainsAny(got, "\x1b…") {
		t.Errorf("%s", got)
	}
}
