package report

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// triggered says for what a guard captured a run; empty for a run of another origin. What
// it quotes is not escaped.
func triggered(t *unpark.Trigger) string {
	if t == nil {
		return ""
	}
	text := t.Condition + " held at " + t.At.UTC().Format("2006-01-02 15:04:05 UTC")
	if v, ok := t.Value.Value.Get(); ok {
		text += ": it was " + units.Say(v, t.Value.Unit)
		if t.Value.N > 0 {
			text += " over " + unpark.Counted(t.Value.N, "request")
		}
	}
	if t.Line != "" {
		text += fmt.Sprintf(": %q", t.Line)
	}
	if v, ok := t.Before.Get(); ok {
		text += "; the window begins " + units.Say(v, "s") + " earlier"
	}
	return text
}

func (p runText) trigger() {
	if text := triggered(p.run.Trigger); text != "" {
		p.flow(line{say(heading, "TRIGGER"), say(normal, "  ")}, say(strong, escape.Prose(text)))
		p.blank()
	}
}
