package check

import (
	"strings"

	"github.com/unpark-go/unpark"
)

// matches reports whether a function fits a pattern: its fully qualified symbol or
// that without the import path, or as it is shown, * for any letters: "store.(*DB).Get", "store.*".
func matches(pattern, function string) bool {
	return glob(pattern, function) || glob(pattern, short(function)) || glob(pattern, unpark.ShortFunction(function))
}

// glob matches with * alone; all else is itself.
func glob(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == s
	}
	rest, ok := strings.CutPrefix(s, parts[0])
	if !ok {
		return false
	}
	last := parts[len(parts)-1]
	for _, p := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(rest, p)
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, last)
}

// short drops the path of a symbol's package: "store.(*DB).Get". Type arguments may
// hold slashes of their own.
func short(function string) string {
	stop := len(function)
	if i := strings.IndexAny(function, "[("); i >= 0 {
		stop = i
	}
	return function[strings.LastIndexByte(function[:stop], '/')+1:]
}

// function cuts the place off the name of a frame of a flame graph.
func function(name string) string {
	f, _, _ := strings.Cut(name, "\x00")
	return f
}

// at returns the findings of waits whose site, waiter or holder fits a pattern.
func at(pattern string, all []unpark.Finding) []unpark.Finding {
	var out []unpark.Finding
	for _, f := range all {
		hit := matches(pattern, f.Site.Function)
		for _, s := range []*unpark.Site{f.Waiter, f.Holder} {
			hit = hit || s != nil && matches(pattern, s.Function)
		}
		if hit && f.Cost.MeanWaiters.Known() {
			out = append(out, f)
		}
	}
	return out
}
