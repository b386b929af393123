package model

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// syncs joins waits for the disk that one function makes in several places below it, such
// as for a file and then for its folder (fsync(2) asks for both): what is asked of the disk
// is one thing, and so is having it asked less often. all is sorted, largest first.
func syncs(all []Wait) []Wait { return merged(all, syncTogether) }

// syncTogether reports whether the nearest function that two waits for the disk have in
// common is of a package that one of them is in: it made both. Further out it is only the
// server that serves both.
func syncTogether(a, b Wait) bool {
	if a.Calls != nil || b.Calls != nil {
		return false
	}
	callers := aboveSync(b.Heaviest.Stack)
	for _, f := range aboveSync(a.Heaviest.Stack) {
		if facts.Through(callers, f.Function) {
			p := unpark.PackageOf(f.Function)
			return p == unpark.PackageOf(a.Function()) || p == unpark.PackageOf(b.Function())
		}
	}
	return false
}

// aboveSync is the callers of the function that syncs; none where nothing does.
func aboveSync(stack []unpark.Site) []unpark.Site {
	for i, f := range slices.Backward(stack) {
		if roles.Is(f.Function, roles.Sync) {
			return stack[i+1:]
		}
	}
	return nil
}
