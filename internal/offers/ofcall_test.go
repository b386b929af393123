package offers

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestCallOptions: the options of a call that by their documentation end what it waits for, or make it take less long, where the way reads what they fill.
func TestCallOptions(t *testing.T) {
	ask := func(doc, option string) string {
		return "type asking struct {\n\tmost int\n\told, other bool\n}\n\ntype AskOpt func(*asking)\n\ntype Desk struct{}\n\n// Ask asks.\nfunc (d *Desk) Ask(q string, opts ...AskOpt) { d.ask(q, opts...) }\n\n" +
			"func (d *Desk) ask(q string, opts ...AskOpt) {\n\tvar a asking\n\tfor a.most > 0 && !a.old {\n\t\td.next()\n\t}\n}\n\nfunc (d *Desk) next() {}\n\n// " + doc + "\nfunc " + option
	}
	const most, old = "AskMost(n int) AskOpt { return func(a *asking) { a.most = n } }", "AskOld() AskOpt { return func(a *asking) { a.old = true } }"
	const ends, latency = "AskMost stops asking once so many have come.", "AskOld takes what is kept. Such answers are better for lower latency."
	for _, c := range []struct {
		what  string
		class unpark.Class
		text  string
		want  string
	}{
		{"it says when it ends", unpark.ClassChannel, ask(ends, most), "AskMost"},
		{"which is nothing for how long one answer takes", unpark.ClassDownstream, ask(ends, most), ""},
		{"it speaks of latency", unpark.ClassDownstream, ask(latency, old), "AskOld"},
		{"which is that of waits", unpark.ClassCPU, ask(latency, old), ""},
		{"it is faster", unpark.ClassCPU, ask("AskOld takes what is kept, which is faster.", old), "AskOld"},
		{"it takes longer", unpark.ClassDownstream, ask("AskOld improves throughput at the expense of latency.", old), ""},
		{"nothing on the way reads it", unpark.ClassDownstream, ask(latency, strings.Replace(old, "a.old", "a.other", 1)), ""},
		{"it says nothing of that", unpark.ClassChannel, ask("AskMost names a number.", most), ""},
		{"it is an option of something else", unpark.ClassDownstream, ask(latency, strings.Replace(old, "AskOpt", "func(*asking)", 1)), ""},
		{"it is not used any more", unpark.ClassDownstream, ask(latency+"\n//\n// Deprecated: it is so always.", old), ""},
	} {
		if got := told(t, unpark.OfferOption, c.class, c.text, ".(*Desk).next .(*Desk).ask .(*Desk).Ask main.main"); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
	o := of(t, ask(ends, most)).For([]unpark.Finding{{Class: unpark.ClassChannel, Path: stack(".(*Desk).next .(*Desk).ask main.main")}})
	if len(o) != 1 || o[0].By != "Desk.Ask" || o[0].Type != "AskOpt" {
		t.Errorf("of a call that is on the stack by what it calls: %+v", o)
	}
}

// TestOnlyFitting: where an option of the call says that it ends a wait, settings that only have fitting names are not told.
func TestOnlyFitting(t *testing.T) {
	const desk = "type asking struct{ old bool }\n\ntype AskOpt func(*asking)\n\n// Config is of a desk.\ntype Config struct {\n\t// PollInterval says how often.\n\tPollInterval time.Duration\n}\n\ntype Desk struct{ config Config }\n\n" +
		"func New(c Config) *Desk { return &Desk{c} }\n\nfunc (d *Desk) Ask(opts ...AskOpt) {\n\tvar a asking\n\tif !a.old {\n\t\td.next()\n\t}\n}\n\nfunc (d *Desk) next() {}\n\nfunc (d *Desk) poll() { time.Sleep(d.config.PollInterval) }\n\n"
	const option = "// AskOld has lower latency.\nfunc AskOld() AskOpt { return func(a *asking) { a.old = true } }"
	for text, want := range map[string]string{desk: "Config.PollInterval", desk + option: ""} {
		if got := told(t, unpark.OfferSetting, unpark.ClassDownstream, text, ".(*Desk).next .(*Desk).Ask main.main"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestBuffersOfAnAnswer: how much one call of the system moves, and how long a failed try is followed by none, end no wait for an answer.
func TestBuffersOfAnAnswer(t *testing.T) {
	desk := func(field, kind string) string {
		return "// Config is of a desk.\ntype Config struct {\n\t// " + field + " says it.\n\t" + field + " " + kind + "\n}\n\ntype Desk struct{ config Config }\n\nfunc New(c Config) *Desk { return &Desk{c} }\n\nfunc (d *Desk) Ask() {}\n\nfunc (d *Desk) run() { use(d.config." + field + ") }"
	}
	for field, want := range map[string]string{"ReadBufferSize int": "", "BackoffWait time.Duration": "", "PipelineWindow int": "Config.PipelineWindow"} {
		name, kind, _ := strings.Cut(field, " ")
		if got := told(t, unpark.OfferSetting, unpark.ClassDownstream, desk(name, kind), ".(*Desk).Ask main.main"); got != want {
			t.Errorf("%s: %q, want %q", field, got, want)
		}
	}
}
