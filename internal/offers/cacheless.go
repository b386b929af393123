package offers

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// uncached is what documentation says of a field without which nothing is kept.
var uncached = regexp.MustCompile(`(?i)\b(nil|empty|unset|not set|zero|none)\b[^.]*\b(no|not|nothing|never|without|disable[sd]?)\b[^.]*\b(cach\w*|kept|stored)\b|\bno cache\b`)

// cacheless is the caches that the type of a method on a stack may be given, where by its documentation it keeps nothing as long as it has none: what
// it gets from others it then gets anew for each request.
func cacheless(p *source, function string, class unpark.Class) []found {
	of, _, method := strings.Cut(local(function), ".")
	t := p.structs[of]
	asks := class == unpark.ClassDownstream || class == unpark.ClassChannel || class == unpark.ClassIO
	if !asks || !method || t == nil || !ast.IsExported(of) || p.internal() {
		return nil
	}
	var out []found
	for _, f := range t.Fields.List {
		for _, id := range f.Names {
			if !id.IsExported() || !slices.Contains(unpark.Words(id.Name), "cache") || deprecated(f.Doc) {
				continue
			}
			for _, s := range sentences(f.Doc.Text() + " " + f.Comment.Text()) {
				if uncached.MatchString(s) {
					doc := shortened(strings.TrimSuffix(s, "."))
					out = append(out, found{setting: setting{name: of + "." + id.Name, kind: typeOf(f.Type), doc: doc, pkg: p}, at: function, by: local(function), way: unpark.TypeWithout, score: guard})
					break
				}
			}
		}
	}
	return out
}
