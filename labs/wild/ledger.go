package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/unpark-go/unpark"
)

// entry is a line of a ledger of forecasts: what was said of the finding that names the culprit, what its fix
// brought, and what the forecast was made of. Lines of several editions say how far off such forecasts are.
type entry struct {
	Case      string           `json:"case"`
	Edition   int              `json:"edition"`
	Limit     unpark.LimitKind `json:"limit"`
	Class     unpark.Class     `json:"class"`
	Culprit   string           `json:"culprit"`
	Share     unpark.Number    `json:"share"`
	ShareOf   string           `json:"share_of"`
	Remedy    string           `json:"remedy"` // the first, which the forecast belongs to
	Advised   bool             `json:"advised"`
	Metric    string           `json:"metric"`
	Said      unpark.Quantity  `json:"said"`
	Alone     *unpark.Quantity `json:"alone,omitempty"` // if the culprit's cost alone went, where that is said beside the least
	Measured  float64          `json:"measured"`
	Inside    bool             `json:"inside"`
	Disturbed bool             `json:"disturbed"`
}

// ledger writes a line for each forecast of a fault whose fix was run as well.
func ledger(out io.Writer, before, after row) error {
	to := json.NewEncoder(out)
	for _, f := range forecasts(before, after) {
		told := before.run.Findings[before.hit()]
		e := entry{
			Case: before.Name, Edition: max(1, before.Edition), Limit: before.run.Limit.Kind, Class: told.Class, Culprit: told.Site.Function,
			Share: told.Share, ShareOf: told.ShareOf, Advised: before.advice == right, Metric: f.metric, Said: f.promised,
			Measured: f.measured, Inside: f.inside(), Disturbed: f.disturbed,
		}
		if told.Culprit != nil {
			e.Culprit = told.Culprit.Function
		}
		if len(told.Remedies) > 0 {
			e.Remedy = told.Remedies[0].Title
		}
		for _, a := range told.Prediction.Alternatives {
			if q := a.Throughput; a.Fix == unpark.FixAlone && f.metric == "throughput" && q.Known() {
				e.Alone = &q
			}
		}
		if err := to.Encode(e); err != nil {
			return fmt.Errorf("ledger of forecasts: %s: %w", before.Name, err)
		}
	}
	return nil
}
