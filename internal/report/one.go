package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
)

// Finding writes one finding of a run in full, with all of its facts, the changes in code and the shares of its ways; with
// a fix, what that would do instead. What cannot be said is said to be unknown, with the reason and the fixes that there are.
func Finding(w io.Writer, r unpark.Run, f unpark.Finding, fix unpark.Fix) error {
	p := &page{}
	if fix != "" {
		p.forecast(r, f, fix)
		return p.write(w, noPaint)
	}
	one := findingText{p, ranked{f, 0}, loadOf(r), ""}
	facts := f.Facts
	one.Facts = nil
	one.print()
	for i, fact := range facts {
		one.fact(i, fact)
	}
	for _, remedy := range f.Remedies {
		if remedy.Change != "" {
			p.flow(detail("change"), say(quiet, escape.Prose(remedy.Title)+":"))
			p.code(remedy.Change)
		}
	}
	p.parts("way", f.Way)
	p.parts("calls", f.Into)
	p.parts("from", f.From)
	return p.write(w, noPaint)
}

// code prints lines of Go, all of them: what is cut off cannot be copied. One that is too long goes on in the next.
func (p *page) code(text string) {
	for one := range strings.SplitSeq(text, "\n") {
		rest := escape.Line(strings.ReplaceAll(one, "\t", "    "))
		for {
			first := detail("")
			now := left(rest, columns-first.width())
			p.add(append(first, say(normal, now))...)
			if rest = rest[len(now):]; rest == "" || now == "" {
				break
			}
		}
	}
}

// parts prints sites with their shares.
func (p *page) parts(label string, parts []unpark.Part) {
	for i, part := range parts {
		if i > 0 {
			label = ""
		}
		first := detail(label)
		p.add(append(first, say(quiet, fmt.Sprintf("%3.0f %%  ", 100*part.Share)), say(place, siteText(part.Site, columns-first.width()-8)))...)
	}
}

// forecast prints what a fix would do.
func (p *page) forecast(r unpark.Run, f unpark.Finding, fix unpark.Fix) {
	prediction := f.Prediction
	head := cmp.Or(prediction.Fix, unpark.FixGone)
	if fix != head {
		prediction = unpark.Prediction{}
		for _, a := range f.Prediction.Alternatives {
			if a.Fix == fix {
				prediction = unpark.Prediction{Throughput: a.Throughput, P50: a.P50, P99: a.P99, Assumptions: f.Prediction.Assumptions}
			}
		}
	}
	p.flow(line{say(heading, "IF ")}, say(strong, escape.Prose(f.Title)), say(normal, " were "+escape.Prose(string(fix))))
	all := gains(prediction, loadOf(r))
	for i, g := range all {
		label := ""
		if i == 0 {
			label = "fixing"
		}
		p.flow(detail(label), whole(quiet, fmt.Sprintf("%-11s", g.metric)), say(gainTone(g), g.text))
	}
	switch {
	case len(all) > 0:
	case fix == head:
		p.flow(detail("unknown"), say(caution, abstains(f.Prediction)))
	default:
		have := "forecasts are of " + escape.Prose(string(head))
		for _, a := range f.Prediction.Alternatives {
			if a.Fix != head {
				have += ", " + escape.Prose(string(a.Fix))
			}
		}
		p.flow(detail("unknown"), say(caution, "nothing is known of "+escape.Prose(string(fix))+" for this finding: "+have))
	}
	if prediction.NextLimit != "" {
		p.flow(detail("then"), say(normal, "the limit would be "+escape.Prose(string(prediction.NextLimit))))
	}
	for i, a := range prediction.Assumptions {
		label := ""
		if i == 0 {
			label = "assumes"
		}
		p.flow(detail(label), say(quiet, escape.Prose(a)))
	}
}
