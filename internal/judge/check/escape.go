package check

import (
	"fmt"
	"strings"

	"github.com/unpark-go/unpark/internal/escape"
)

// md escapes a text for any place in Markdown: what means something to Markdown,
// HTML or a table becomes a character reference.
func md(s string) string {
	var b strings.Builder
	for _, r := range escape.Prose(s) {
		if strings.ContainsRune("\\`*_[]<>#|&~@", r) {
			fmt.Fprintf(&b, "&#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
