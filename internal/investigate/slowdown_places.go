package investigate

import (
	"path/filepath"
	"strings"

	"github.com/unpark-go/unpark"
	slow "github.com/unpark-go/unpark/internal/judge/slowdown"
	"github.com/unpark-go/unpark/internal/measure/target/build"
)

// slowed is one place with the findings that have it.
type slowed struct {
	delay    slow.Delay
	site     unpark.Site // of the call
	where    string
	source   build.Source
	pkg      string // name of its package
	spot     slow.Spot
	subjects map[int]slow.Subject // by index of the finding
	doses    slow.Doses
	rounds   []slow.Round
	// disturbed are rounds in whose arms the machine was not alike. They count when
	// there are too few others: a wide interval says more than none.
	disturbed []slow.Round
}

// first is the subject by which the doses are chosen: that of the first finding.
func (p *slowed) first() slow.Subject {
	least := -1
	for i := range p.subjects {
		if least < 0 || i < least {
			least = i
		}
	}
	return p.subjects[least]
}

// add keeps the round of one place.
func (p *slowed) add(got map[arm]measured, disturbed bool) {
	r := slow.Round{got[arm{}].points[p]}
	for d := 1; d <= 2; d++ {
		r[d] = got[arm{p, d}].points[p]
		r[d].Spin = p.doses.Spin[d-1].Seconds()
	}
	if disturbed {
		p.disturbed = append(p.disturbed, r)
	} else {
		p.rounds = append(p.rounds, r)
	}
}

// places are those that one run slows down.
type places []*slowed

// at returns the place of a subject if another finding has it too.
func (ps places) at(s slow.Subject) *slowed {
	for _, p := range ps {
		for _, other := range p.subjects {
			if other.Spot.Lock == s.Spot.Lock && other.Spot.Site.Function == s.Spot.Site.Function && (!s.Spot.Lock || other.Spot.Site.Line == s.Spot.Site.Line) {
				return p
			}
		}
	}
	return nil
}

// changed returns the sources with all delays in them. Two places may be in one file:
// no line moves, so the second is found where it was.
func (ps places) changed() (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, p := range ps {
		text, ok := out[p.source.Path]
		if !ok {
			text = p.source.Text
		}
		in, err := p.spot.Insert(text, p.delay.Call())
		if err != nil {
			return nil, err
		}
		out[p.source.Path] = in.Text
		out[filepath.Join(filepath.Dir(p.source.Path), p.delay.File())] = []byte(p.delay.Source(p.pkg))
	}
	return out, nil
}

// named lists the places for a line of progress.
func (ps places) named() string {
	var all []string
	for _, p := range ps {
		all = append(all, p.site.Place())
	}
	return strings.Join(all, " and ")
}
