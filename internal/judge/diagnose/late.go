package diagnose

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// late is the wait of a function for another service where that mostly ends because the time of its context is up: no answer ends it,
// and to ask less often makes none of them shorter.
func late(m *model.Model, f unpark.Finding) (model.Wait, bool) {
	if f.Class != unpark.ClassDownstream || f.Waiter == nil {
		return model.Wait{}, false
	}
	i := slices.IndexFunc(m.Answers, func(p model.Wait) bool { return p.Function() == f.Waiter.Function })
	if i < 0 || m.Answers[i].Heaviest.Late.Or(0) < model.BindingShare {
		return model.Wait{}, false
	}
	return m.Answers[i], true
}

// outOfTime is told of such a wait.
func outOfTime(m *model.Model, f *unpark.Finding) {
	if p, ok := late(m, *f); ok {
		f.Title += " until their time is up, without an answer"
		f.Facts = append(f.Facts, fact("part of these waits that the deadline of a context ended", p.Heaviest.Late.Or(0), "ratio", unpark.KindTrace.File()))
	}
}

// unanswered is advice for what waits for an answer until its time is up.
func unanswered(m *model.Model, f unpark.Finding) []unpark.Remedy {
	p, ok := late(m, f)
	if !ok {
		return nil
	}
	set := ""
	if at, ok := boundAt(m, p); ok {
		set = fmt.Sprintf(", which %s sets (%s),", short(at.Function), at.Place())
	}
	return []unpark.Remedy{{
		Title: fmt.Sprintf("Ask no more for a while after some calls from %s ran out of time (a circuit breaker), or give them a shorter deadline: the one that there is%s ends them, not an answer", short(p.Function()), set),
		Why:   "each such request takes the whole of that time and has nothing for it; the other side may still work for it",
		Risk:  "what would have come late is lost: ask again now and then, and see why no answer comes in time",
	}}
}

// givenUp is advice for connections that are opened anew because calls over the ones before were given up: over HTTP/1.1 the answer to such a
// call would come before that to the next one, so its connection is closed (net/http, (*persistConn).roundTrip and readLoop).
func givenUp(m *model.Model, f unpark.Finding) []unpark.Remedy {
	if f.Class != unpark.ClassPool || !opens(f) {
		return nil
	}
	for _, p := range m.Downstream {
		if p.Heaviest.GivenUp.Or(0) < manyGivenUp || !roles.On(p.Heaviest.Stack, roles.Exchange) {
			continue
		}
		return []unpark.Remedy{{
			Title: fmt.Sprintf("Let calls from %s come to their end, or ask over HTTP/2: many are given up because their context is done, and over HTTP/1.1 that closes the connection", short(p.Function())),
			Why:   "the answer to a call that is given up is still to come over its connection, which therefore serves no other; over HTTP/2 a stream ends alone",
			Risk:  "what is let run to its end is work for both sides; a longer deadline lets requests wait longer",
		}}
	}
	return nil
}
