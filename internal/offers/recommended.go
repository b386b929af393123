package offers

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// instead is how documentation names what to use in the place of something: “use X instead”, “X should be used instead”,
// “consider using X”, for what is deprecated “use X”, and for most uses “prefer X”.
var (
	preferred  = regexp.MustCompile(`(?i)\bprefer\s+(?:using\s+|to use\s+|the\s+)?\[?([A-Z][\w.]*\w)\]?(?:\(\))?,?\s+(?:(?:for|in)\s+(?:most|nearly|almost|general|all)\b|over\b|where(?:ver)? possible|whenever possible|unless\b)`)
	useInstead = regexp.MustCompile(`(?i)\b(?:use|using|prefer|consider|call)\s+(?:the\s+)?\[?([A-Z][\w.]*\w)\]?(?:\(\))?[^.;]{0,40}\binstead\b`)
	inPlace    = regexp.MustCompile(`(?i)\binstead,?\s+(?:use|using|prefer|consider|call)\s+(?:the\s+)?\[?([A-Z][\w.]*\w)`)
	successor  = regexp.MustCompile(`(?i)deprecated:[^.]{0,60}?\buse\s+(?:the\s+)?\[?([A-Z][\w.]*\w)`)
)

// recommended is the function that the documentation of one which a service calls says to use in its place.
func recommended(p *source, function string) []found {
	d := p.funcs[local(function)]
	if d == nil || !d.Name.IsExported() {
		return nil
	}
	var out []found
	for _, s := range sentences(d.Doc.Text()) {
		for _, form := range []*regexp.Regexp{useInstead, inPlace, successor, preferred} {
			m := form.FindStringSubmatch(s)
			if m == nil {
				continue
			}
			other := m[1]
			name := other[strings.LastIndexByte(other, '.')+1:]
			for _, known := range []string{receiver(d) + "." + name, other, name} {
				if of := p.funcs[known]; of != nil && of != d && of.Name.IsExported() && !deprecated(of.Doc) {
					return append(out, found{setting: setting{name: known, kind: "func", doc: shortened(s), pkg: p}, at: function, by: nameOf(d), score: 2})
				}
			}
		}
	}
	return out
}

// forPeople are the words of functions that do the same as one without the word, and more for those that read it.
var forPeople = words("indented indent pretty verbose debug colored coloured human")

// plainer is the function of the same shape whose name lacks only a word which says that the other is for people to read.
func plainer(p *source, function string, class unpark.Class) []found {
	d := p.funcs[local(function)]
	if d == nil || !d.Name.IsExported() || waits(class) {
		return nil
	}
	have := unpark.Words(d.Name.Name)
	less := slices.DeleteFunc(slices.Clone(have), func(w string) bool { return slices.Contains(forPeople, w) })
	if len(less) == len(have) || len(less) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		other := p.funcs[name]
		if other != d && other.Name.IsExported() && receiver(other) == receiver(d) && !deprecated(other.Doc) && slices.Equal(unpark.Words(other.Name.Name), less) && results(other) == results(d) {
			return []found{{setting: setting{name: name, kind: "func", doc: firstOf(other.Doc), pkg: p}, at: function, by: nameOf(d), score: 1}}
		}
	}
	return nil
}
