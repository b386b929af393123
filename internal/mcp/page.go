package mcp

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// text is an answer, of which one page is given.
type text struct {
	lines []string
	at    int // page, from 1; 0 is the first
}

func said(format string, args ...any) text {
	return text{lines: strings.Split(fmt.Sprintf(format, args...), "\n")}
}

// of is the answer's page n.
func (t text) of(n int) text {
	t.at = n
	return t
}

// page is one page, whole lines, with where the next is.
func (t text) page() string {
	var pages []string
	var now strings.Builder
	for _, line := range t.lines {
		line = clipped(line)
		if now.Len() > 0 && now.Len()+len(line) > pageBytes {
			pages = append(pages, now.String())
			now.Reset()
		}
		now.WriteString(line + "\n")
	}
	pages = append(pages, now.String())
	at := max(1, t.at)
	switch {
	case at > len(pages):
		return fmt.Sprintf("there is no page %d: the last is %d\n", at, len(pages))
	case len(pages) > 1 && at == len(pages):
		return fmt.Sprintf("%s(page %d of %d: that is all)\n", pages[at-1], at, len(pages))
	case len(pages) > 1:
		return fmt.Sprintf("%s(page %d of %d: page=%d has more)\n", pages[at-1], at, len(pages), at+1)
	}
	return pages[0]
}

// clipped cuts a line that is longer than a page's part may be.
func clipped(line string) string {
	if len(line) <= lineBytes {
		return line
	}
	cut := lineBytes
	for !utf8.RuneStart(line[cut]) {
		cut--
	}
	return line[:cut] + "…"
}
