package report

import (
	"math"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

func width(s string) int { return lipgloss.Width(s) }

// siteText prints a site in at most w columns. The import path is what gives
// way first, then the middle of the name; the line stays to the last:
//
//	github.com/acme/shop/cache.(*Cache).Get cache.go:41
//	…/cache.(*Cache).Get cache.go:41
//	….(*Cache).Get cache.go:41
func siteText(s unpark.Site, w int) string {
	place := escape.Line(s.Place())
	if place != "" {
		place = " " + place
	}
	if pw := width(place); pw > w/2 {
		place = middle(place, max(w/2, 8))
	}
	name := escape.Line(s.Function)
	if name == "" {
		name = units.Unknown
	}
	return symbol(name, max(w-width(place), 1)) + place
}

func fullSite(s unpark.Site) string { return siteText(s, math.MaxInt32) }

// shortSite prints a site without the import path, but for its last element.
func shortSite(s unpark.Site) string {
	name := escape.Line(s.Function)
	last, _ := pathEnd(name)
	if name = unpark.ElideTypeArguments(name[last:]); last > 0 {
		name = "…/" + name
	}
	return strings.TrimSpace(name + " " + escape.Line(s.Place()))
}

// symbol shortens a Go symbol to w columns: the import path gives way first, then type
// arguments, then the middle of the name.
func symbol(name string, w int) string {
	if width(name) <= w {
		return name
	}
	slash, dot := pathEnd(name)
	elided := unpark.ElideTypeArguments(name[dot:])
	for _, short := range []string{"…/" + name[slash:], "…" + name[dot:], "…/" + name[slash:dot] + elided, "…" + elided} {
		if width(short) <= w {
			return short
		}
	}
	return middle("…"+elided, w)
}

// pathEnd returns where the last element of the import path begins and where it
// ends. Type arguments may hold slashes of their own, so the search stops at the
// first bracket; a receiver's parenthesis ends the path as well.
func pathEnd(name string) (last, end int) {
	stop := len(name)
	if i := strings.IndexAny(name, "[("); i >= 0 {
		stop = i
	}
	last = strings.LastIndexByte(name[:stop], '/') + 1
	if i := strings.IndexByte(name[last:stop], '.'); i >= 0 {
		return last, last + i
	}
	return last, last
}

// middle cuts a text to w columns by leaving out its middle; the end, which
// tells more, gets the larger part.
func middle(s string, w int) string {
	if width(s) <= w {
		return s
	}
	if w <= 1 {
		return "…"
	}
	head := (w - 1) / 3
	tail := w - 1 - head
	return left(s, head) + "…" + right(s, tail)
}

// left returns a longest beginning of s that fits w columns.
func left(s string, w int) string {
	used, end := 0, len(s)
	for i, r := range s {
		if used += width(string(r)); used > w {
			end = i
			break
		}
	}
	// Characters that join can be wider than their sum.
	for end > 0 && width(s[:end]) > w {
		_, n := utf8.DecodeLastRuneInString(s[:end])
		end -= n
	}
	return s[:end]
}

// right returns a longest end of s that fits w columns.
func right(s string, w int) string {
	at, used := len(s), 0
	for at > 0 {
		r, n := utf8.DecodeLastRuneInString(s[:at])
		if used += width(string(r)); used > w {
			break
		}
		at -= n
	}
	for at < len(s) && width(s[at:]) > w {
		_, n := utf8.DecodeRuneInString(s[at:])
		at += n
	}
	return s[at:]
}

// commandText prints a command as one would type it.
func commandText(args []string) string {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = a
		if a == "" || strings.ContainsAny(a, " \t\n\"'\\$&|;<>()*?`") {
			parts[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return strings.Join(parts, " ")
}
