package ab

import (
	"strings"

	"github.com/unpark-go/unpark/internal/investigate"
)

// broadcast lets others follow the experiment in its directory, until done: what goes on in each arm, and every round.
func (e *experiment) broadcast() (done func()) {
	show, done := investigate.Config{}.Broadcast(e.out.dir)
	shown := e.c.Progress
	e.c.Progress = func(v Event) {
		if shown != nil {
			shown(v)
		}
		switch {
		case v.Run != nil:
			run := *v.Run
			run.Phase = strings.TrimSpace(v.Label + " " + run.Phase)
			show(run)
		case v.Trial != nil:
			show(investigate.Event{Phase: v.Trial.String(), Detail: strings.TrimSpace(v.Trial.LeftOut + " " + v.Note)})
		case v.Line != "":
			show(investigate.Event{Line: v.Line})
		}
	}
	return done
}
