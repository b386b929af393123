package predict

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// Predict says what removing a finding would do under the run's own load, by the model of
// all that was measured. The ratios are unknown where it abstains; the assumptions then say
// why.
func Predict(m *model.Model, limit unpark.Limit, f unpark.Finding) unpark.Prediction {
	if f.Class == unpark.ClassLeak {
		return leak(limit.Kind, f)
	}
	s, err := observe(m, limit.Kind)
	switch {
	case err != nil:
		return abstain(limit.Kind, err.Error())
	case f.Class == unpark.ClassQuota:
		return quota(s, f)
	}
	c := change{s, cutOf(s, f).parted(s, f)}
	switch {
	case c.cut.empty():
		return abstain(limit.Kind, "what the finding costs per request is not known")
	case limit.Kind == unpark.LimitGenerator:
		return abstain(limit.Kind, "the generator was the limit, so the run does not show what the service does at its own")
	case c.cut.cpu.value > 0 && !c.cut.queue && c.cut.wait.value <= 0 && c.cut.under < 0 && underUnknown(s, f):
		return abstain(limit.Kind, "it is computed in a function that holds the lock which binds, and for how long the lock is held is not known: made cheaper, it may be held for less")
	case c.cut.cpu.value > 0 && !c.cut.queue && c.cut.wait.value <= 0 && servesQueue(s, f):
		return abstain(limit.Kind, "it is computed where requests queue for one after the other to be done: made cheaper, their queue is shorter, and by how much is not known")
	case s.steady():
		return openLoopOf(c).forecast(f)
	case s.population > maxPopulation:
		return abstain(limit.Kind, fmt.Sprintf("%.0f requests were under way on average, and the model computes with up to %d: take the window with fewer connections, or at a rate that the service holds", s.population, maxPopulation))
	}
	return closedLoop{c}.forecast(f)
}

func abstain(next unpark.LimitKind, why string) unpark.Prediction {
	return unpark.Prediction{NextLimit: next, Assumptions: []string{why}}
}
