package offers

import (
	"strings"

	"github.com/unpark-go/unpark"
)

// local names a function within its package as its declaration does: "T.M" for
// "example.org/p.(*T[...]).M.func1".
func local(function string) string {
	function = unpark.WithoutTypeArguments(function)
	rest := strings.TrimPrefix(function[len(unpark.PackageOf(function)):], ".")
	if t, m, ok := strings.Cut(rest, ")."); ok && strings.HasPrefix(t, "(") {
		m, _, _ = strings.Cut(m, ".")
		return strings.TrimLeft(t, "(*") + "." + m
	}
	name, below, ok := strings.Cut(rest, ".")
	if !ok {
		return name
	}
	below, _, _ = strings.Cut(below, ".")
	if strings.HasPrefix(below, "func") || below == "" || below[0] >= '0' && below[0] <= '9' {
		return name
	}
	return name + "." + below // a method of a value
}
