package offers

import (
	"go/ast"
	"strings"

	"github.com/unpark-go/unpark"
)

// constants counts the constants of a type: where there are several, a setting of it says which of some ways is taken.
func constants(p *source, d *ast.GenDecl, s *ast.ValueSpec) {
	of := typeOf(s.Type)
	if of == "" && len(s.Values) == 0 { // as the one before it, with the next iota
		for _, spec := range d.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok && v != s && v.Type != nil {
				of = typeOf(v.Type)
			} else if v == s {
				break
			}
		}
	}
	if of != "" {
		p.values[of] += len(s.Names)
	}
}

// mode reports whether a setting is which of some ways is taken: its type has a constant for each. The kind of a token is none.
func (s setting) mode() bool {
	of, _, _ := strings.Cut(s.name, ".")
	return s.pkg != nil && s.pkg.named[s.kind] != "" && s.pkg.values[s.kind] > 1 && (s.fills != "" || configures.MatchString(of))
}

// basic is the type of a setting that has a size, a time or a mode: its own, or what it is named for.
func basic(p *source, kind string) bool {
	return settable.MatchString(kind) || settable.MatchString(p.named[kind]) || p.named[kind] == "string" && p.values[kind] > 1
}

// decided is a setting by which a call is made, as the sort of switch that it is.
func decided(s setting, calls string) (way, what string) {
	switch {
	case s.turns:
		return unpark.TypeTurned, calls
	case s.mode():
		return unpark.TypeChosen, calls + ", or another way"
	}
	return "", calls
}
