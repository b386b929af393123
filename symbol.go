package unpark

import "strings"

// WithoutTypeArguments returns a function's symbol without what stands in brackets:
// "(*Pool[...]).Acquire" and "Sum[go.shape.int]" are "(*Pool).Acquire" and "Sum".
func WithoutTypeArguments(function string) string {
	if strings.IndexByte(function, '[') < 0 {
		return function
	}
	var b strings.Builder
	depth := 0
	for i := range len(function) {
		switch c := function[i]; {
		case c == '[':
			depth++
		case c == ']' && depth > 0:
			depth--
		case depth == 0:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// ElideTypeArguments returns a function's symbol with dots for what stands in brackets
// that match, as the compiler writes them in most places: "(*Map[go.shape.string,
// go.shape.[]uint8]).Get" is "(*Map[...]).Get". What follows a bracket without its match
// stays.
func ElideTypeArguments(function string) string {
	var b strings.Builder
	depth, open := 0, 0
	for i := range len(function) {
		switch c := function[i]; {
		case c == '[':
			if depth == 0 {
				open = i
			}
			depth++
		case c == ']' && depth > 0:
			if depth--; depth == 0 {
				b.WriteString("[...]")
			}
		case depth == 0:
			b.WriteByte(c)
		}
	}
	if depth > 0 {
		b.WriteString(function[open:])
	}
	return b.String()
}

// ShortFunction returns a function's symbol without the import path before its
// package, and without type arguments, which have paths of their own:
// "store.(*Map[...]).Get". A major version, and "go", are no name of a package: "github.com/jackc/puddle/v2.NewPool"
// is "puddle.NewPool". Dots that the compiler escapes in a path's last element (cmd/internal/objabi.PathToPrefix) are dots.
func ShortFunction(function string) string {
	n := pathLength(function)
	last, symbol, ok := strings.Cut(function[n:], ".")
	if above := strings.TrimSuffix(function[:n], "/"); ok && nameless(last) {
		if slash := strings.LastIndexByte(above, '/'); slash >= 0 { // else it is a host
			last = above[slash+1:]
		}
	}
	if !ok {
		return ElideTypeArguments(function[n:])
	}
	return ElideTypeArguments(strings.ReplaceAll(last, "%2e", ".") + "." + symbol)
}

// nameless reports whether the last element of an import path says nothing of what the package is.
func nameless(last string) bool { return last == "go" || MajorVersion(last) }

// MajorVersion reports whether an element of an import path is a module's major version: "v2".
func MajorVersion(element string) bool {
	v, ok := strings.CutPrefix(element, "v")
	return ok && v != "" && strings.Trim(v, "0123456789") == ""
}

// PackageOf returns the import path of a function's package; the function itself where
// it has none.
func PackageOf(function string) string {
	n := pathLength(function)
	if dot := strings.IndexByte(function[n:], '.'); dot >= 0 {
		return function[:n+dot]
	}
	return function
}

// pathLength is how much of a symbol is the import path, up to the last slash: those of
// type arguments, and behind a receiver, are none of its own.
func pathLength(function string) int {
	stop := len(function)
	if i := strings.IndexAny(function, "[("); i >= 0 {
		stop = i
	}
	return strings.LastIndexByte(function[:stop], '/') + 1
}
