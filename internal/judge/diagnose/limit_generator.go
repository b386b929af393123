package diagnose

import (
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// generatorBound answers for a run whose generator was the limit: every figure
// about the target is then a figure about the generator.
func generatorBound(_ *model.Model, void []unpark.Notice) (answer, bool) {
	for _, n := range void {
		if aboutGenerator(n) {
			return answer{kind: unpark.LimitGenerator, reason: byGenerator{n}}, true
		}
	}
	return answer{}, false
}

// aboutGenerator recognises the reasons of package load for which a run is
// void because of the generator itself (late, lagging, out of CPU, ports or
// descriptors).
func aboutGenerator(n unpark.Notice) bool { return strings.HasPrefix(n.Code, "generator") }

func voided(_ *model.Model, void []unpark.Notice) (answer, bool) {
	if len(void) == 0 {
		return answer{}, false
	}
	return answer{kind: unpark.LimitUnknown, reason: isVoid{void[0]}}, true
}
