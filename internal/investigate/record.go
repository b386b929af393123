package investigate

import (
	"slices"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target/rusage"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// record is the document of a run while it is written, and tells how far the run is.
type record struct {
	run      unpark.Run
	progress func(Event) // may be nil
	phase    string      // the last that was reported
}

func newRun(c Config) unpark.Run {
	now := time.Now()
	run := unpark.Run{
		Schema: unpark.SchemaRun, ID: now.UTC().Format("20060102T150405.000Z"), Started: now.UTC().Truncate(time.Millisecond),
		Unpark: c.Version, Host: rusage.Host(), Plan: c.Plan.Redacted(),
		Target: unpark.Target{Command: c.Command, Package: c.Package, Pprof: c.Pprof}.Redacted(),
		Limit:  unpark.Limit{Kind: unpark.LimitUnknown, Why: "the run has not reached a verdict"},
		Void:   []unpark.Notice{}, Findings: []unpark.Finding{}, Windows: []unpark.Window{}, Warnings: []unpark.Notice{},
	}
	if c.Trigger != nil {
		t := *c.Trigger
		run.Trigger = &t
	}
	return run
}

// triggered notes how much of the window lies before its trigger.
func (r *record) triggered() {
	t, w := r.run.Trigger, r.run.Measured()
	if t != nil && w != nil && w.Start.Before(t.At) {
		t.Before = unpark.Num(t.At.Sub(w.Start).Seconds())
	}
}

func (r *record) tell(e Event) {
	r.phase = e.Phase
	if r.progress != nil {
		r.progress(e)
	}
}

// warnOnce is for what each level would tell again.
func (r *record) warnOnce(code, message, cure string) {
	if n := (unpark.Notice{Code: code, Message: message, Cure: cure}); !slices.Contains(r.run.Warnings, n) {
		r.run.Warnings = append(r.run.Warnings, n)
	}
}

func (r *record) warn(code, message, cure string) {
	r.run.Warnings = append(r.run.Warnings, unpark.Notice{Code: code, Message: unpark.RedactText(message), Cure: cure})
}

// attached notes a process that is read from outside, in place of the socket of its reader.
func (r *record) attached(e *window.Endpoint) {
	t := &r.run.Target
	if !e.Info.Attached || t.Attach != nil && slices.Contains(t.Attach.PIDs, e.PID) {
		return
	}
	if t.Attach == nil {
		t.Attach = &unpark.Attach{ReadOnly: e.Info.ReadOnly, Writes: []unpark.Write{}}
	}
	t.Attach.PIDs = append(t.Attach.PIDs, e.PID)
	t.Pprof = slices.DeleteFunc(slices.Clone(t.Pprof), e.At)
}

// wrote notes what was written into processes.
func (r *record) wrote(all []unpark.Write) {
	for _, w := range all {
		if a := r.run.Target.Attach; a != nil && !slices.Contains(a.Writes, w) {
			a.Writes = append(a.Writes, w)
		}
	}
}
