package offers

import (
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/unpark-go/unpark"
)

// ofCost are sentences of documentation that say what something costs, or that it is meant for something
// else. That it is fast they all say.
var (
	ofCost = regexp.MustCompile(`(?i)\b(slow|slower|slowly|expensive|costly|overhead|inefficien\w*|(re|pre-?)?allocat\w*|quadratic|linear (time|search|scan)|O\(n)`)
	meant  = regexp.MustCompile(`(?i)\b(in tests|for tests|for testing|tests only)\b`)
	itself = regexp.MustCompile(`^(It|This|Package)\b`)
	poor   = regexp.MustCompile(`(?i)\bperforman\w*`)
	warns  = regexp.MustCompile(`(?i)\b(not|never|poor|bad|worse|hurt\w*|impact\w*|affect\w*|degrad\w*|penalt\w*|critical|sensitive|lower\w*|reduc\w*)\b`)
	spares = regexp.MustCompile(`(?i)\bwithout\b[^.;:]*\bperforman`) // “scale without downtime or performance degradation”
)

// reuse are sentences that say that something is made once and kept: of what makes it, on the way of each
// request.
var reuse = regexp.MustCompile(`(?i)\b(re-?us(e|ed|es|ing|able)|singleton|only once|once and|create one|created once|single instance|one instance|long[- ]lived|shared? (between|across|among)|cache[sd]? (the|it|its|them|information))\b`)

// maker are the names of functions that make something.
var maker = regexp.MustCompile(`^(New|Open|Dial|Compile|MustCompile|Parse|MustParse|Make|Load|Build|Create|Connect)`)

// better is what is said of one way to do something beside another; other ways are told by what follows elsewhere.
var (
	better    = regexp.MustCompile(`(?i)\b(faster|quicker|cheaper|more (efficient|performant)|better performance|performs? better|fewer allocations)\b`)
	elsewhere = regexp.MustCompile(`(?i)\b(instead|prefer|consider|using|if you)\b`)
	itsOwn    = regexp.MustCompile(`(?i)\bthis (function|method|type|call)\b`)
)

// outdone reports whether the documentation of something says that another way is better.
func outdone(name, sentence string) bool {
	own := name[strings.LastIndexByte(name, '.')+1:]
	if betterThan(sentence, own) {
		return true
	}
	return better.MatchString(sentence) && elsewhere.MatchString(sentence) && !itsOwn.MatchString(sentence) && !strings.HasPrefix(sentence, own+" ")
}

// betterThan reports whether a sentence says that something is better than what it names behind that.
func betterThan(sentence, name string) bool {
	at := better.FindStringIndex(sentence)
	if at == nil {
		return false
	}
	_, than, ok := strings.Cut(sentence[at[1]:], "than ")
	return ok && named(than, name)
}

func costs(sentence string) bool {
	return ofCost.MatchString(sentence) || meant.MatchString(sentence) || poor.MatchString(sentence) && warns.MatchString(sentence) && !spares.MatchString(sentence)
}

// note is a sentence of the documentation of a function, a type, a package or a module.
type note struct {
	name, text string
	of         *source
	better     string // what it says is the better way, of the same type
}

// notes is what documentation says of costs: of the functions of a stack first, then of their types, then of the
// package itself, and what the module's first page says of a function. Of what makes things, that they are kept.
func (p *source) notes(functions []string) []note {
	var out []note
	seen := map[string]bool{}
	take := func(name, doc string, says func(string) bool) {
		for _, s := range sentences(doc) {
			if !seen[name] && says(s) {
				seen[name] = true
				out = append(out, note{name: name, text: s, of: p})
			}
		}
	}
	kept := func(s string) bool { return costs(s) || reuse.MatchString(s) }
	var called []*ast.FuncDecl
	for _, f := range functions {
		d := p.funcs[local(f)]
		if d == nil || !d.Name.IsExported() || d.Recv != nil && !ast.IsExported(receiver(d)) {
			continue
		}
		called = append(called, d)
		if maker.MatchString(d.Name.Name) {
			take(local(f), d.Doc.Text(), kept)
			take(makes(d), p.docs[makes(d)], kept)
		}
		take(local(f), d.Doc.Text(), func(s string) bool { return costs(s) || outdone(local(f), s) })
	}
	for _, f := range functions {
		if t, _, ok := strings.Cut(local(f), "."); ok && ast.IsExported(t) {
			take(t, p.docs[t], func(s string) bool {
				return costs(s) || outdone(t, s) || reuse.MatchString(s) && better.MatchString(s) // what it is used again for
			})
		}
	}
	take("", p.doc, func(s string) bool { // what some of a package is for in tests is none of the rest
		return costs(s) && (!meant.MatchString(s) || itself.MatchString(s))
	})
	for i, n := range out {
		out[i].better = betterOf(p, n)
	}
	slices.SortStableFunc(out, func(a, b note) int { return rank(b) - rank(a) })
	return append(out, p.firstPage(called)...)
}

// betterOf is the function of the same type that a note calls better than its own; empty where it names none.
func betterOf(p *source, n note) string {
	of, own, method := strings.Cut(n.name, ".")
	if !method {
		of, own = "", n.name
	}
	if !betterThan(n.text, own) {
		return ""
	}
	before := n.text[:better.FindStringIndex(n.text)[0]]
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		d := p.funcs[name]
		if d.Name.IsExported() && receiver(d) == of && d.Name.Name != own && !deprecated(d.Doc) && named(before, d.Name.Name) {
			return name
		}
	}
	return ""
}

// rank is higher of what names a better way: the others say that something costs, as a profile does.
func rank(n note) int {
	if outdone(n.name, n.text) {
		return 1
	}
	return 0
}

// firstPage is what the module's first page says of the costs of functions that it names.
func (p *source) firstPage(called []*ast.FuncDecl) []note {
	root := p
	if p.root != nil {
		root = p.root
	}
	for _, s := range sentences(linked.ReplaceAllString(fenced.ReplaceAllString(root.readme, "\n\t\n"), "$1")) {
		for _, d := range called {
			if len(d.Name.Name) >= nameable && named(s, d.Name.Name) && (costs(s) || betterThan(s, d.Name.Name) || maker.MatchString(d.Name.Name) && reuse.MatchString(s)) {
				return []note{{name: unpark.ReadMe, text: s, of: root}}
			}
		}
	}
	return nil
}

// nameable is how long a function's name is that is no word of any text: Get, Set and New are.
const nameable = 5 // characters

// named reports whether a sentence has a name as a word of its own.
func named(sentence, name string) bool {
	return slices.Contains(strings.FieldsFunc(sentence, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }), name)
}

// makes is the name of the type that a function returns first; empty where that is another package's.
func makes(d *ast.FuncDecl) string {
	if d.Type.Results == nil || len(d.Type.Results.List) == 0 {
		return ""
	}
	return typeOf(d.Type.Results.List[0].Type)
}

// readme is the text of a module's first page.
func readme(folder string) string {
	for _, name := range []string{"README.md", "readme.md", "Readme.md", "README"} {
		at := filepath.Join(folder, name)
		if _, ok := sourceFile(at); !ok {
			continue
		}
		if text, err := os.ReadFile(at); err == nil {
			return string(text)
		}
	}
	return ""
}

// fenced is code in a page in Markdown.
var fenced = regexp.MustCompile("(?s)```.*?```")

// linked is a link in such a page, of which its text is read.
var linked = regexp.MustCompile(`\[([^\]\n]+)\]\([^)\s]+\)`)

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
