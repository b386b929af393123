package investigate

import (
	"os"
	"slices"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
	"github.com/unpark-go/unpark/internal/judge/predict"
	"github.com/unpark-go/unpark/internal/offers"
)

// offered reads what the modules at the places of a run's findings offer there, as far as their source is on this
// machine, and keeps it in the run, so that a verdict reached again elsewhere says the same.
func offered(run *unpark.Run) {
	run.Offers = offers.New(built(run)).For(slices.Concat(run.Findings, run.Costs))
	suggest(run)
}

// reoffered does the same for a run that has what was read when it was made, which stays where the source is not on
// this machine.
func reoffered(run *unpark.Run) {
	run.Offers = offers.New(built(run)).Anew(slices.Concat(run.Findings, run.Costs), run.Offers)
	suggest(run)
}

// built is when what ran was there at the latest: when it was started, or, of a program of the user's own, when that was written.
func built(run *unpark.Run) time.Time {
	if run.Target.Package == "" && len(run.Target.Command) > 0 {
		if i, err := os.Stat(run.Target.Command[0]); err == nil && i.ModTime().Before(run.Started) {
			return i.ModTime()
		}
	}
	return run.Started
}

// suggest adds what is kept of that to the findings' advice.
func suggest(run *unpark.Run) {
	for _, findings := range [][]unpark.Finding{run.Findings, run.Costs} {
		for i := range findings {
			findings[i].Remedies = diagnose.Offered(findings[i], run.Offers)
			findings[i].Prediction = predict.Headed(findings[i], rate(run))
		}
	}
	diagnose.Parts(run.Findings, run.Costs, run.Offers)
}

// rate is the throughput of a run's measured window in requests per second; 0 where there was no load.
func rate(run *unpark.Run) float64 {
	if w := run.Measured(); w != nil && w.Load != nil {
		return w.Load.AchievedRPS
	}
	return 0
}
