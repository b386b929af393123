package compare

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// Disturbed says that processes other than the target and the generator had more than a
// tenth of the machine during the window that the run's verdict is about, which part it
// was, and the cure. False when they had less, and where it is not known.
func Disturbed(r unpark.Run) (unpark.Notice, bool) {
	w := r.Measured()
	if w == nil {
		return unpark.Notice{}, false
	}
	others, ok := w.OtherCores(w.TargetCores()).Get()
	cpus := float64(w.Machine.CPUs)
	if !ok || w.Load == nil || cpus <= 0 || others <= maxOtherShare*cpus {
		return unpark.Notice{}, false
	}
	var named string
	for i, n := range w.Machine.Neighbours {
		if i == 0 {
			named = fmt.Sprintf(", most of it %s (pid %d, %.2f)", n.Name, n.PID, n.Cores)
		}
	}
	return unpark.Notice{
		Code: "neighbours",
		Message: fmt.Sprintf("processes that are neither the service nor unpark took %.2f of %s (%s), and up to %s is what a run's times can stand%s",
			others, unpark.Counted(int64(w.Machine.CPUs), "core"), units.Percent(others/cpus), units.Percent(maxOtherShare), named),
		Cure: "stop what else runs there and repeat the run, or compare both in turns: unpark ab",
	}, true
}

// untimed says why the times of two runs cannot be compared; none when they can.
func untimed(before, after unpark.Run) []unpark.Notice {
	var out []unpark.Notice
	for _, arm := range arms(before, after) {
		if n, ok := Disturbed(arm.run); ok {
			n.Message = "during the run " + arm.name + ", " + n.Message
			out = append(out, n)
		}
	}
	if a, b := before.Host, after.Host; a.CPUs != b.CPUs || a.Model != b.Model || a.Arch != b.Arch {
		out = append(out, unpark.Notice{
			Code:    "different-hosts",
			Message: "the runs were made on different machines: bytes per request can be compared, times cannot",
			Cure:    "make both on one machine, interleaved: unpark ab",
		})
	}
	return out
}
