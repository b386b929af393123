package survey

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// lack is how a program says that it was not given something.
var (
	lack        = regexp.MustCompile(`(?i)\b(is|are) (required|missing|mandatory|not (set|given|specified|provided))\b|\bmust be (set|given|specified|provided)\b|\b(required|missing|mandatory)\b|\b(must|please|need to) (set|specify|provide|give|pass)\b|\bnot set\b`)
	conditional = regexp.MustCompile(`(?i)\b(when|if|unless|with|together|also)\b`)
)

// needs marks what a package says it cannot do without: a flag or variable without
// a default that a message names as missing.
func (w *world) needs(u *unit, flags []*Flag, variables []Variable) {
	for _, g := range flags {
		g.required = g.required || g.empty() && strings.Contains(strings.ToLower(g.Usage), "(required)")
	}
	u.each(func(f *ast.File, in *ast.FuncDecl, n ast.Node) {
		c, ok := n.(*ast.CallExpr)
		if !ok || len(c.Args) == 0 {
			return
		}
		s := scope{w, u, f, in}
		name, on := called(c)
		switch {
		case strings.HasSuffix(name, "FlagRequired"):
			v, _ := s.text(c.Args[len(c.Args)-1])
			markLast(flags, v, lastName(on), c.Pos())
		case !flagCall.MatchString(name):
			for _, a := range c.Args {
				if l, ok := a.(*ast.BasicLit); ok && l.Kind == token.STRING {
					text, _ := s.text(l)
					missing(text, flags, variables)
				}
			}
		}
	})
}

// missing reads a message of the program.
func missing(text string, flags []*Flag, variables []Variable) {
	const longest = 200 // what is longer is a manual
	if len(text) > longest || !lack.MatchString(text) || conditional.MatchString(text) {
		return
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n,;:()'\"`<>", r) }) {
		if name := strings.TrimLeft(word, "-"); name != word {
			// Where several commands have a flag of that name, a message does not say which.
			if named := withName(flags, name); len(named) == 1 && named[0].empty() {
				named[0].required = true
			}
		}
		for i := range variables {
			if variables[i].Name == strings.TrimPrefix(word, "$") && variables[i].Default == "" {
				variables[i].required = true
			}
		}
	}
}

func withName(flags []*Flag, name string) []*Flag {
	return slices.DeleteFunc(slices.Clone(flags), func(g *Flag) bool { return g.plain() != name })
}

// markLast says that a flag of a command is required: the one of that name which was
// defined last before.
func markLast(flags []*Flag, name, on string, at token.Pos) {
	var last *Flag
	for _, g := range flags {
		if g.plain() == name && g.on == on && g.pos < at && (last == nil || g.pos > last.pos) {
			last = g
		}
	}
	if last != nil && last.empty() {
		last.required = true
	}
}
