package browse

import (
	"strings"

	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/slowest"
)

// Heat is what requests did at each moment of a trace, for the page to draw: what any interval holds can be told from it.
type Heat struct {
	Seconds float64      `json:"seconds"`
	Times   float64      `json:"times"` // how many requests each of those drawn stands for
	Drawn   int          `json:"drawn"`
	Of      int64        `json:"of"`
	Places  []heatPlace  `json:"places"`
	Spans   [][3]float64 `json:"spans"` // begin and length in seconds, index of the place
}

type heatPlace struct {
	Class string `json:"class"`
	Site  string `json:"site"`
	Full  string `json:"full"`
}

// Moments tells what a sample of requests did, and when.
func Moments(sample slowest.Sample) Heat {
	out := Heat{Seconds: sample.Seconds, Drawn: len(sample.Requests), Of: sample.Of, Places: []heatPlace{}, Spans: [][3]float64{}}
	if out.Drawn > 0 {
		out.Times = float64(sample.Of) / float64(out.Drawn)
	}
	at := map[heatPlace]int{}
	for _, q := range sample.Requests {
		for _, s := range q.States {
			p := heatPlace{Class: string(s.Class), Site: siteText(s.Site), Full: escape.Line(strings.TrimSpace(s.Site.Function))}
			i, ok := at[p]
			if !ok {
				i = len(out.Places)
				at[p] = i
				out.Places = append(out.Places, p)
			}
			out.Spans = append(out.Spans, [3]float64{tenthOfMicro(q.Start + s.From), tenthOfMicro(s.Time), float64(i)})
		}
	}
	return out
}

// tenthOfMicro rounds seconds: seven digits are enough to draw, and shorter to send.
func tenthOfMicro(v float64) float64 { return tenth(v*1e6) / 1e6 }
