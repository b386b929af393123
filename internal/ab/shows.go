package ab

import (
	"fmt"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
)

// scattered is how many rounds tell how far rounds scatter here.
// Of three the spread itself is known to a factor of three.
const scattered = 5

// shows says what the rounds that are to come can show: before anything was measured
// by the noise of recorded rounds, afterwards by what these scatter.
func (e *experiment) shows() {
	rounds, most := e.c.Rounds, e.c.Rounds
	if rounds == 0 {
		rounds, most = e.c.Options.Bounds()
	}
	length := e.c.Run.Window()
	all, one := e.c.Options.Least()
	switch {
	case rounds < all:
		if len(e.pairs) == 0 {
			e.say(fmt.Sprintf("%s of %v cannot show a change, however large: that takes %d, and %d for a change of one metric alone: --rounds %d",
				counted(rounds), length, all, one, one))
		}
		return
	case most > rounds:
		e.say(showsLine(fmt.Sprintf("%d to %d rounds", rounds, most), length, len(e.pairs), compare.Resolution(e.pairs, rounds, e.c.Options)))
	default:
		e.say(showsLine(counted(rounds), length, len(e.pairs), compare.Resolution(e.pairs, rounds, e.c.Options)))
	}
	if rounds < one && len(e.pairs) == 0 {
		e.say(fmt.Sprintf("a change of one metric alone takes %s: --rounds %d", counted(one), one))
	}
}

// showsLine is one line: "14 to 20 rounds of 5s find a change of about …".
func showsLine(rounds string, length time.Duration, measured int, by map[string]unpark.Quantity) string {
	var parts []string
	for _, m := range []struct{ metric, name string }{{"throughput", "throughput"}, {"cpu_per_request", "CPU per request"}, {"p99", "p99"}} {
		if v, ok := by[m.metric].Value.Get(); ok {
			parts = append(parts, changeOf(v)+" in "+m.name)
		}
	}
	source := "by what recorded rounds of identical code differ by; measured here after " + counted(scattered)
	if measured > 0 {
		source = "by what " + counted(measured) + " differ by here"
	}
	if len(parts) == 0 {
		return rounds + " of " + length.String() + ": what they can show is not known yet"
	}
	return fmt.Sprintf("%s of %v find a change of about %s or more (%s)", rounds, length, strings.Join(parts, ", "), source)
}

// changeOf prints the size of a change: "8 %", "a factor of 2.5".
func changeOf(v float64) string {
	switch {
	case v >= 1:
		return fmt.Sprintf("a factor of %.1f", 1+v)
	case v < 0.0995:
		return fmt.Sprintf("%.1f %%", 100*v)
	default:
		return fmt.Sprintf("%.0f %%", 100*v)
	}
}
