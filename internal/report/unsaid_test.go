package report

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestUnsaidTail: where nothing is said of the p99 every form says why, where one end is said that is enough,
// and where nothing at all is said there is one reason for all.
func TestUnsaidTail(t *testing.T) {
	const why = "its interval would be too wide"
	forms := writers()
	forms["brief"] = func(w io.Writer, r unpark.Run) error { return Brief(w, r, false) }
	stays := unpark.Between(1, 0.99, 1.01, "ratio", 600)
	for name, c := range map[string]struct {
		p    unpark.Prediction
		mode unpark.Mode
		want bool
	}{
		"nothing of p99": {unpark.Prediction{Throughput: stays, P99Unsaid: why}, unpark.Constant, true},
		"a closed loop":  {unpark.Prediction{Throughput: stays, P99Unsaid: why}, unpark.Closed, false},
		"one end":        {unpark.Prediction{Throughput: stays, P99: unpark.Quantity{Unit: "ratio", High: unpark.Num(0.5)}, P99Unsaid: why}, unpark.Constant, false},
		"nothing":        {unpark.Prediction{Assumptions: []string{"no load was measured"}}, unpark.Constant, false},
	} {
		r := lockAtTheKnee()
		r.Findings = r.Findings[:1]
		r.Findings[0].Prediction = c.p
		load := *r.Windows[0].Load
		load.Mode = c.mode
		r.Windows[0].Load = &load
		for form, write := range forms {
			var b bytes.Buffer
			if err := write(&b, r); err != nil {
				t.Fatal(err)
			}
			text := strings.Join(strings.Fields(b.String()), " ")
			if got := strings.Contains(text, "not predicted: "+why); got != c.want {
				t.Errorf("%s, %s: said %t, want %t:\n%s", name, form, got, c.want, b.String())
			}
		}
	}
}

// TestCostOfOneEnd: of a cost of whose worth one end is known that end is said.
func TestCostOfOneEnd(t *testing.T) {
	least := unpark.Quantity{Unit: "ratio", Low: unpark.Num(1.4)}
	most := unpark.Quantity{Unit: "ratio", High: unpark.Num(0.5)}
	for want, g := range map[string]gain{
		"×1.40 or more": {metric: "throughput", ratio: least, more: true}, "×0.50 or less": {metric: "p99", ratio: most},
		"~": {metric: "p99"}, "×0.50": {metric: "p99", ratio: unpark.Measured(0.5, "ratio", 1)},
	} {
		if got := (spent{gain: &g}).brief(); got != want {
			t.Errorf("%+v: %q, want %q", g.ratio, got, want)
		}
	}
}
