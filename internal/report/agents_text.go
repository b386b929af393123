package report

import (
	"math"
	"strconv"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// agents prints the machines that drove the load together, and how well they kept time.
func (p *page) agents(all []unpark.Agent) {
	if len(all) == 0 {
		return
	}
	p.head("AGENTS")
	var rows [][]string
	var tones []tone
	for _, a := range all {
		state, mark := "counted", normal
		if a.Void != "" {
			state, mark = "void", caution
		}
		rows = append(rows, []string{escape.Prose(a.Name), state, known(a.RPS, ""), strconv.Itoa(a.Processes), known(a.Start, "s"), known(a.Offset, "s"), known(a.Spread, "s"), known(a.Trip, "s")})
		tones = append(tones, mark)
	}
	p.table(2, []string{"agent", "part", "req/s", "captured", "start off by", "clock ahead", "±", "round trip"}, rows, tones)
}

// known is a figure, or ~ where there is none.
func known(n unpark.Number, unit string) string {
	v, ok := n.Get()
	if !ok {
		return "~"
	}
	if v < 0 {
		return "-" + units.Figure(math.Abs(v), unit)
	}
	return units.Figure(v, unit)
}
