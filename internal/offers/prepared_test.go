package offers

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestPrepared: a call that takes what another function makes ready, where that is what costs.
func TestPrepared(t *testing.T) {
	const (
		runs = `
type Runtime struct{}

type Program struct{}

func (r *Runtime) RunString(text string) error { return r.RunProgram(parse(text)) }
`
		program = "\nfunc (r *Runtime) RunProgram(p *Program) error { return nil }\n"
		compile = "\nfunc Compile(text string) *Program { return parse(text) }\n"
		parse   = "\nfunc parse(text string) *Program { return lex(text) }\n\nfunc lex(text string) *Program { new(scanner.Scanner).Scan(); return nil }\n"
	)
	const at = ".lex .parse .(*Runtime).RunString main.eval"
	for what, c := range map[string]struct{ text, stack, want string }{
		"made ready by a function":                  {runs + program + compile + parse, at, "Runtime.RunProgram"},
		"by a method of that name":                  {runs + program + parse + "\nfunc (p *Program) RunString(text string) { parse(text) }\n", at, "Runtime.RunProgram"},
		"made ready by what is not there to be had": {runs + program + parse + "\nfunc (b *builder) Compile(text string) *Program { return parse(text) }\n\ntype builder struct{}\n", at, ""},
		"it costs in another package":               {runs + program + compile + parse, "go/scanner.(*Scanner).next go/scanner.(*Scanner).Scan .lex .parse .(*Runtime).RunString main.eval", "Runtime.RunProgram"},
		"it costs elsewhere":                        {runs + program + compile + parse, ".exec .(*Runtime).RunString main.eval", ""},
		"nothing makes it ready":                    {runs + program + parse, at, ""},
		"made without what costs":                   {runs + program + parse + "\nfunc Compile(text string) *Program { return nil }\n", at, ""},
		"it comes to what costs as well":            {runs + compile + parse + "\nfunc (r *Runtime) RunProgram(p *Program) error { lex(p.text) }\n", at, ""},
		"another verb":                              {runs + compile + parse + "\nfunc (r *Runtime) SetProgram(p *Program) error { return nil }\n", at, ""},
		"of another type":                           {runs + compile + parse + "\nfunc (o *Other) RunProgram(p *Program) error { return nil }\n\ntype Other struct{}\n", at, ""},
	} {
		if got := told(t, unpark.OfferReady, unpark.ClassCPU, c.text, c.stack); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}
