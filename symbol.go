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
