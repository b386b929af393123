package check

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes a text safe to print on one line: line breaks and runs of blanks are
// one blank, and what is not printable (escape sequences, bidirectional overrides)
// is shown as a Go escape. Names come from whatever wrote a profile.
func clean(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsPrint(r) && !unicode.Is(unicode.Variation_Selector, r):
			b.WriteRune(r)
		default:
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		}
	}
	return b.String()
}

// md escapes a text for any place in Markdown: what means something to Markdown,
// HTML or a table becomes a character reference.
func md(s string) string {
	var b strings.Builder
	for _, r := range clean(s) {
		if strings.ContainsRune("\\`*_[]<>#|&~@", r) {
			fmt.Fprintf(&b, "&#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
