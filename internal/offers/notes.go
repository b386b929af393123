package offers

import (
	"go/ast"
	"regexp"
	"strings"
)

// ofCost are sentences of documentation that say what something costs, or that it is meant for something
// else. That it is fast they all say.
var (
	ofCost = regexp.MustCompile(`(?i)\b(slow|slower|slowly|expensive|costly|overhead|inefficien\w*|(re|pre-?)?allocat\w*|quadratic|linear (time|search|scan)|in tests|for tests|for testing|tests only|O\(n)`)
	poor   = regexp.MustCompile(`(?i)\bperforman\w*`)
	warns  = regexp.MustCompile(`(?i)\b(not|never|poor|bad|worse|hurt\w*|impact\w*|affect\w*|degrad\w*|penalt\w*|critical|sensitive|lower\w*|reduc\w*)\b`)
)

func costs(sentence string) bool {
	return ofCost.MatchString(sentence) || poor.MatchString(sentence) && warns.MatchString(sentence)
}

// note is a sentence of the documentation of a function, a type or a package.
type note struct{ name, text string }

// notes is what a package's documentation says of costs: of the functions of a stack first, then of their
// types, then of the package itself.
func (p *source) notes(functions []string) []note {
	var out []note
	seen := map[string]bool{}
	take := func(name, doc string) {
		if seen[name] {
			return
		}
		seen[name] = true
		for _, s := range sentences(doc) {
			if costs(s) {
				out = append(out, note{name, s})
				return
			}
		}
	}
	for _, f := range functions {
		if d := p.funcs[local(f)]; d != nil && d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d))) {
			take(local(f), d.Doc.Text())
		}
	}
	for _, f := range functions {
		if t, _, ok := strings.Cut(local(f), "."); ok && ast.IsExported(t) {
			take(t, p.docs[t])
		}
	}
	take("", p.doc)
	return out
}

// sentences splits documentation, without what is indented in it: code and lists.
func sentences(doc string) []string {
	var kept []string
	for line := range strings.Lines(doc) {
		if !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "#") {
			kept = append(kept, strings.TrimSpace(line))
		} else {
			kept = append(kept, "¶") // what stands before and behind is not one sentence
		}
	}
	var out []string
	for _, block := range strings.Split(strings.Join(kept, " "), "¶") {
		for _, s := range strings.SplitAfter(block, ". ") {
			if s = strings.TrimSpace(s); s != "" {
				out = append(out, strings.TrimSuffix(s, "."))
			}
		}
	}
	return out
}
