package diagnose

import (
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

// generatorBound answers for a run whose generator was the limit: every figure
// about the target is then a figure about the generator.
func generatorBound(m *model.Model, void []unpark.Notice) (unpark.Limit, bool) {
	for _, n := range void {
		if !aboutGenerator(n) {
			continue
		}
		l := unpark.Limit{Kind: unpark.LimitGenerator, Why: "the generator was the limit, not the service: " + n.Message}
		if m.Load == nil {
			return l, true
		}
		if g, ok := m.Load.GeneratorCPU.Get(); ok {
			l.Why += fmt.Sprintf(" (it used %s cores", units.Say(g, ""))
			if c, ok := m.Cores.Get(); ok {
				l.Why += fmt.Sprintf(", the service %s", units.Say(c, ""))
			}
			l.Why += ")"
		}
		return l, true
	}
	return unpark.Limit{}, false
}

// aboutGenerator recognises the reasons of package load for which a run is
// void because of the generator itself (late, lagging, out of CPU, ports or
// descriptors).
func aboutGenerator(n unpark.Notice) bool { return strings.HasPrefix(n.Code, "generator") }

func voided(_ *model.Model, void []unpark.Notice) (unpark.Limit, bool) {
	if len(void) == 0 {
		return unpark.Limit{}, false
	}
	return unpark.Limit{Kind: unpark.LimitUnknown, Why: "the run is void: " + void[0].Message}, true
}
