// Package escape makes text whose author is not known safe to print: names in a
// profile come from whatever wrote the profile, and output of a target from whatever
// wrote to it.
//
//	Line      one line of a terminal
//	Prose     a sentence, in which blanks mean nothing
//	Markdown  any place in Markdown
package escape

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line shows what is not printable (escape sequences, line breaks, bidirectional
// overrides, invalid UTF-8) as a Go escape.
func Line(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, hidden) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case hidden(r):
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidden reports whether a character is not printable. Variation selectors count as
// such: one would widen the character that it happens to follow on the line, an
// ellipsis of the page as well.
func hidden(r rune) bool { return !unicode.IsPrint(r) || unicode.Is(unicode.Variation_Selector, r) }

// Prose is Line for a sentence: line breaks and runs of blanks become one blank.
func Prose(s string) string { return Line(strings.Join(strings.Fields(s), " ")) }

// Markdown is Prose for any place in Markdown: characters that mean something to
// Markdown, HTML or a table become character references, which are plain text to
// every parser.
func Markdown(s string) string {
	var b strings.Builder
	for _, r := range Prose(s) {
		if strings.ContainsRune("\\`*_[]<>#|&~@", r) {
			fmt.Fprintf(&b, "&#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return opening(b.String())
}

// opening escapes what at the beginning of a line starts a list, a rule or a heading's
// underline; the sign or the number itself stays.
func opening(text string) string {
	at := len(text) - len(strings.TrimLeft(text, "0123456789"))
	rest := text[at:]
	switch {
	case at == 0 && rest != "" && strings.Contains("-+=", rest[:1]):
	case at > 0 && (strings.HasPrefix(rest+" ", ". ") || strings.HasPrefix(rest+" ", ") ")):
	default:
		return text
	}
	return fmt.Sprintf("%s&#%d;%s", text[:at], rest[0], rest[1:])
}
