package model

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// pools joins waits for a place in a library's pool that are in several functions: it is one pool, or
// pools of one make with one setting, and with more places none of them waits. all is sorted, largest first.
func pools(all []Wait) []Wait {
	return merged(all, func(a, b Wait) bool { by := admits(a); return by != "" && by == admits(b) })
}

// merged adds each wait to the first before it with which it is one. all is sorted, largest first.
func merged(all []Wait, one func(a, b Wait) bool) []Wait {
	var out []Wait
	for _, w := range all {
		if at := slices.IndexFunc(out, func(other Wait) bool { return one(other, w) }); at >= 0 {
			out[at].add(w)
		} else {
			out = append(out, w)
		}
	}
	return out
}

// admits is the library's function that lets in; empty where a channel or a lock of the program's own does.
func admits(w Wait) string {
	for _, s := range w.Heaviest.Stack {
		if roles.Of(s.Function).WaitBelow == unpark.WaitPool {
			return s.Function
		}
	}
	return ""
}
