package offers

import (
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
)

// ahead of what is acknowledged or asked for, the other side sends, or takes, so much: the words of parameters that say how much.
var aheadOf = words("prefetch inflight window credit credits outstanding unacked pipeline concurrency parallelism")

// toldOther is the methods by which the other side is told how much may be under way at once: (*Channel).Qos(prefetchCount) of a broker's
// client fills no field, since it is the broker that keeps to it.
func toldOther(p *source, function string, class unpark.Class) []found {
	if class != unpark.ClassDownstream && class != unpark.ClassChannel && class != unpark.ClassPool {
		return nil
	}
	var out []found
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		d := p.funcs[name]
		if !d.Name.IsExported() || !exportedType(receiver(d)) || deprecated(d.Doc) || d.Body == nil || works(d.Name.Name) || makers.MatchString(d.Name.Name) {
			continue
		}
		for _, f := range d.Type.Params.List {
			for _, id := range f.Names {
				kind := typeOf(f.Type)
				of := slices.ContainsFunc(unpark.Words(id.Name), func(w string) bool { return slices.Contains(aheadOf, w) })
				if of && basic(p, kind) && kind != "bool" && !setters.MatchString(d.Name.Name) {
					out = append(out, found{setting: setting{name: name + "(" + id.Name + ")", kind: kind, doc: firstOf(d.Doc), pkg: p}, at: function, score: 2})
					break
				}
			}
		}
	}
	return out
}

// works reports whether a name is that of a call which reads or writes, and tells nothing.
func works(name string) bool {
	verb := unpark.Words(name)[0]
	return slices.Contains(looks, verb) || slices.Contains(puts, verb)
}

// exportedType reports whether methods of a type are for users.
func exportedType(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }
