package fleet

import (
	"time"

	"github.com/unpark-go/unpark/internal/fleet/agent"
	"github.com/unpark-go/unpark/internal/fleet/wire"
)

// Phases are the stretches of a level. Without capture the window follows the warm-up.
// With it, unprofiled stretches and the trace lie beside the window, with time between them
// in which processes are made ready and read.
func Phases(warmup, window, baseline, trace time.Duration, captured bool) []wire.Phase {
	var out []wire.Phase
	at := time.Duration(0)
	add := func(name string, length, pause time.Duration) {
		if length > 0 {
			out = append(out, wire.Phase{Name: name, At: at, Length: length})
			at += length + pause
		}
	}
	add("warmup", warmup, 0)
	if !captured {
		add("window", window, 0)
		return out
	}
	if baseline > 0 {
		add("baseline", baseline, agent.Slack)
	} else {
		at += agent.Slack
	}
	add("window", window, agent.Slack)
	add("trace", trace, agent.Slack/2)
	add("baseline", baseline, 0)
	return out
}
