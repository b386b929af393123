package diagnose

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// upgrade is the advice to look for a newer version of the module that the cost is in, or
// whose call of Go's own packages it is.
func upgrade(f unpark.Finding) (unpark.Remedy, bool) {
	culprit := f.Culprit
	if f.Class == unpark.ClassLock && !ofModule(culprit) { // a library's lock is held by the library, whatever runs meanwhile
		for _, s := range []*unpark.Site{f.Waiter, f.Holder} {
			if ofModule(s) {
				culprit = s
			}
		}
	}
	if culprit == nil || wraps(*culprit) || generated(*culprit) {
		return unpark.Remedy{}, false // a later version makes the same system call, and what is generated is as its generator made it
	}
	if f.Class == unpark.ClassGC {
		return unpark.Remedy{}, false // no single module allocates most
	}
	if f.Class == unpark.ClassDownstream && f.Cost.Cores.Value.Or(0) == 0 {
		return unpark.Remedy{}, false // the time is spent outside
	}
	for _, s := range slices.Concat([]unpark.Site{*culprit}, backward(f.Way), []unpark.Site{f.Site}) {
		if roles.Is(s.Function, roles.Standard) {
			continue
		}
		module, version, _, ok := s.Module()
		if !ok {
			return unpark.Remedy{}, false
		}
		return unpark.Remedy{
			Title:  fmt.Sprintf("Upgrade %s, of which this build has %s, if a later version does it better", module, version),
			Why:    "the cost is inside of that module: its changelog and its issues may know it",
			Risk:   "a new version may change more than that",
			Change: "go list -m -versions " + module,
		}, true
	}
	return unpark.Remedy{}, false
}

// ofModule reports whether a function is of a published module.
func ofModule(s *unpark.Site) bool {
	if s == nil {
		return false
	}
	_, _, _, ok := s.Module()
	return ok
}

// wraps reports whether a module's function is a thin wrapper of a system call.
func wraps(s unpark.Site) bool {
	return roles.Is(s.Function, roles.Low) && !roles.Is(s.Function, roles.Standard)
}

// generated reports whether a file is one that a generator of code writes, by what they name it after.
func generated(s unpark.Site) bool {
	name := strings.ToLower(filepath.Base(filepath.FromSlash(s.File)))
	return slices.ContainsFunc([]string{".pb.go", ".gen.go", "_gen.go", "_easyjson.go", "_string.go"}, func(end string) bool { return strings.HasSuffix(name, end) }) ||
		strings.HasPrefix(name, "zz_generated")
}
