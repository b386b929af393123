package investigate

import (
	"context"
	"fmt"

	slow "github.com/unpark-go/unpark/internal/judge/slowdown"
	"github.com/unpark-go/unpark/internal/measure/target/build"
)

// mostPlaces is how many places one run slows down: each takes two arms of a round.
const mostPlaces = 2

// locate finds the places of the findings that are to be slowed down.
func (x *slowdown) locate(ctx context.Context) error {
	width := x.c.SlowdownWidth
	if width == 0 {
		width = slow.DefaultWidth
	}
	var sources build.Sources
	listed := false
	for i, f := range x.rec.run.Findings {
		s, why := slow.SubjectOf(x.rec.run, x.window, f, width)
		if why == "" && len(x.places) == mostPlaces && x.places.at(s) == nil {
			why = fmt.Sprintf("%d places are slowed down in one run, and others are worth more: fix those first", mostPlaces)
		}
		if why == "" && !listed {
			var err error
			if sources, err = build.ListSources(ctx, x.c.build()); err != nil {
				return err
			}
			listed = true
		}
		if why == "" {
			why = x.place(i, s, sources)
		}
		if why != "" {
			x.fail(i, why)
			x.say(fmt.Sprintf("none for finding %d: %s", f.Rank, why))
		}
	}
	return nil
}

// place adds a subject; it returns why there is no place for its delay.
func (x *slowdown) place(i int, s slow.Subject, sources build.Sources) string {
	if p := x.places.at(s); p != nil {
		p.subjects[i] = s
		return ""
	}
	source, err := sources.Find(s.Spot.Site.File)
	if err != nil {
		return err.Error()
	}
	delay := s.Spot.Delay(len(x.places)+1, source.Path)
	in, err := s.Spot.Insert(source.Text, delay.Call())
	if err != nil {
		return err.Error()
	}
	at := s.Spot.Site
	at.Line = in.Line
	for _, p := range x.places {
		if p.source.Path == source.Path && p.site.Line == in.Line && p.where == in.Where {
			p.subjects[i] = s
			return ""
		}
	}
	x.places = append(x.places, &slowed{
		delay: delay, site: at, where: in.Where, source: source, pkg: in.Package, spot: s.Spot, subjects: map[int]slow.Subject{i: s},
	})
	return ""
}

// build compiles the service with the delays in it. What does not compile loses its
// places from the last one on.
func (x *slowdown) build(ctx context.Context) error {
	var err error
	if x.program.built, err = build.MakeFolder(x.c.BuildDir); err != nil {
		return err
	}
	x.program.dir = x.program.built.Path
	for len(x.places) > 0 {
		spec := x.c.build()
		spec.Output = x.program.binary()
		if spec.Replace, err = x.places.changed(); err != nil {
			return err
		}
		x.tell("go build -overlay " + x.c.Package + " with a delay at " + x.places.named() + " (sources untouched)")
		if err = build.Program(ctx, spec); err == nil || ctx.Err() != nil {
			return err
		}
		x.drop(x.places[len(x.places)-1], err.Error())
	}
	return nil
}
