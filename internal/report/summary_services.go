package report

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// serviceRows say, of each service that the target asks, what of the requests' time is its.
func serviceRows(r unpark.Run) []row {
	var out []row
	for i, s := range r.Services {
		label := ""
		if i == 0 {
			label = "asks"
		}
		out = append(out, row{label, serviceParts(s)})
	}
	return out
}

func serviceParts(s unpark.Service) []string {
	name, j := escape.Line(s.Name), s.Join
	var out []string
	if v, ok := j.Calls.Value.Get(); ok {
		out = append(out, name+": "+units.Say(v, "")+" of its requests for each, "+units.Say(j.Wall.Value.Or(0), "s")+" inside it")
	} else {
		out = append(out, name)
	}
	if j.Unsure != "" {
		return append(out, "what of a request's time is its is not sure: "+escape.Prose(j.Unsure))
	}
	if v, ok := j.Share.Get(); ok {
		out = append(out, units.Percent(v)+" of a request's time is waited for it")
	}
	if v, ok := j.Tail.Get(); ok {
		out = append(out, units.Percent(v)+" of the slowest's")
	}
	if len(j.Causes) > 0 {
		c := j.Causes[0]
		text := units.Percent(c.Share.Or(0)) + " of the slowest's is its " + escape.Prose(string(c.Class))
		if !c.Site.IsZero() {
			text += " in " + siteText(c.Site, 60)
		}
		out = append(out, text)
	}
	how := "inferred from connections and traces"
	if j.How == unpark.ByTraceparent {
		how = "joined by traceparent, " + many(j.Calls.N, "request")
	}
	return append(out, how)
}
