package offers

import (
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
)

// batched is a type of the package that does for many what a call of the service does for one: by its name, with a method of the call's name, or
// one that adds to it (BatchVerifier with Add and Verify, beside Verify).
func batched(p *source, function string) []found {
	d := p.funcs[local(function)]
	if d == nil || !d.Name.IsExported() || deprecated(d.Doc) {
		return nil
	}
	verb := unpark.Words(d.Name.Name)[0]
	var out []found
	for _, of := range slices.Sorted(maps.Keys(p.structs)) {
		words := unpark.Words(of)
		group := slices.ContainsFunc(words, func(w string) bool { return w == "batch" || w == "bulk" || w == "batcher" })
		if !exportedType(of) || !group || of == receiver(d) || slices.Contains(words, "options") || slices.Contains(words, "config") || messages.MatchString(of) {
			continue
		}
		same := p.funcs[of+"."+d.Name.Name]
		adds := p.funcs[of+".Add"]
		akin := slices.ContainsFunc(words, func(w string) bool { return len(verb) >= stem && len(w) >= stem && w[:stem] == verb[:stem] })
		if same == nil && (adds == nil || !akin) {
			continue
		}
		made := makerOf(p, of, receiver(d))
		if made == "" {
			continue
		}
		end := ""
		for _, name := range []string{d.Name.Name, "Flush", "Commit", "Write", "Send", "Do", "Exec"} {
			if p.funcs[of+"."+name] != nil && (adds != nil || name != d.Name.Name) {
				end = name
				break
			}
		}
		if end == "" {
			continue
		}
		out = append(out, found{setting: setting{name: made, kind: of, doc: shortened(first(sentences(p.docs[of]))), pkg: p}, at: function, by: nameOf(d), calls: end, on: true, score: 1})
	}
	return out
}

// makerOf is the exported function that makes a type, or the method of another one that does.
func makerOf(p *source, of, by string) string {
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		d := p.funcs[name]
		if d.Name.IsExported() && !deprecated(d.Doc) && makes(d) == of && (d.Recv == nil || receiver(d) == by) {
			return name
		}
	}
	return ""
}

func first(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return all[0]
}
