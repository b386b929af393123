package report

import (
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// speedText says what the machine's speed did to the rounds; "" where it was not asked for.
func speedText(c unpark.Comparison) string {
	if c.Speed == nil {
		return ""
	}
	return speed(*c.Speed)
}

// speedParts says how fast the machine was during a window, in the words in which it can be held against other runs.
func speedParts(w unpark.Window) []string {
	q := w.Machine.Yardstick
	if !q.Value.Known() {
		return nil
	}
	return []string{"a fixed piece of work took " + units.Number(q.Value, q.Unit) + " (" + many(q.N, "time") + ")"}
}

// speed says in a sentence what the machine's speed did to runs that are compared, and what is corrected for it.
func speed(s unpark.MachineSpeed) string {
	varied := ""
	if v, ok := s.Varied.Value.Get(); ok {
		varied = "The machine's speed varied by " + strconv.FormatFloat(100*v, 'f', 1, 64) + " % from run to run; "
	}
	var names []string
	for _, m := range s.Corrected {
		names = append(names, metricName(m))
	}
	switch {
	case len(names) == 1:
		return varied + names[0] + " is corrected for it."
	case len(names) > 1:
		return varied + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + " are corrected for it."
	case varied != "":
		return varied + "nothing is corrected for it: " + or(escape.Prose(s.Why), units.Unknown) + "."
	default:
		return "Nothing is corrected for the machine's speed: " + or(escape.Prose(s.Why), units.Unknown) + "."
	}
}
