package offers

import (
	"maps"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// What the names of calls are made of that do the same for many, or do not wait, or keep what is made.
var (
	many  = words("batch bulk multi many all pipeline pipelined async stream buffered mget mset txn transaction")
	again = words("append into to reset pool pooled cached compile precompile prepare prepared must parsed buffer reuse clone batch bulk stream")
)

// beside is the exported calls next to one that a service makes which may take its place: of
// the same type or package, with a word more in their names than it has.
func (p *source) beside(function string, class unpark.Class) []found {
	d := p.funcs[local(function)]
	if d == nil || !d.Name.IsExported() {
		return nil
	}
	fit, waiting := many, true
	switch class {
	case unpark.ClassCPU, unpark.ClassAlloc, unpark.ClassGC, unpark.ClassRecompute:
		fit, waiting = again, false
	}
	of := receiver(d)
	have := split(d.Name.Name)
	var out []found
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		other := p.funcs[name]
		if other == d || !other.Name.IsExported() || receiver(other) != of || deprecated(other.Doc) {
			continue
		}
		words := split(other.Name.Name)
		n := 0
		for _, w := range words {
			if slices.Contains(fit, w) && !slices.Contains(have, w) {
				n++
			}
		}
		// Publish and PublishAsync; or Batch, NewBatch of the same type.
		same := words[0] == have[0] && len(words) > len(have) || slices.Contains(words, have[0])
		alone := slices.Contains(fit, words[len(words)-1]) && (len(words) == 1 || words[0] == "new") && of != ""
		if waiting && plural(d.Name.Name, other.Name.Name) {
			n, same = n+1, true // SendMessage and SendMessages
		}
		if n == 0 || !same && !alone {
			continue
		}
		if same {
			n++
		}
		out = append(out, found{setting: setting{name: name, kind: "func", doc: firstOf(other.Doc), pkg: p}, at: function, score: n})
	}
	return out
}

// plural reports whether a name is that of the same for many.
func plural(one, all string) bool {
	return all == one+"s" || all == one+"es" || all == "M"+one || strings.HasSuffix(one, "y") && all == strings.TrimSuffix(one, "y")+"ies"
}
