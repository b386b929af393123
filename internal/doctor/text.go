package doctor

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// JSON writes the document.
func JSON(w io.Writer, r Report) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// lineWidth is how long lines of text are.
const lineWidth = 100

// Text writes the report for people: one line a reading, its meaning and cure below
// it where there is something to say.
func Text(w io.Writer, r Report) error {
	var b strings.Builder
	fmt.Fprintln(&b, headline(r))
	width := 0
	for _, x := range r.Readings {
		width = max(width, utf8.RuneCountInString(x.Name))
	}
	last, told := Group(""), map[string]bool{}
	for _, x := range r.Readings {
		if x.Group != last {
			fmt.Fprintf(&b, "\n%s\n", title(x.Group))
			last = x.Group
		}
		fmt.Fprintf(&b, "  %s %-*s  %s\n", mark(x.State), width, x.Name, x.Text)
		indent := strings.Repeat(" ", width+6)
		for _, line := range wrapped(x.Why, lineWidth-len(indent)) {
			b.WriteString(indent + line + "\n")
		}
		if told[x.Cure] {
			continue // once is enough
		}
		told[x.Cure] = true
		for i, line := range wrapped(x.Cure, lineWidth-len(indent)-2) {
			b.WriteString(indent + []string{"→ ", "  "}[min(i, 1)] + line + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// headline is the verdict, first.
func headline(r Report) string {
	var bad, warn int
	first := ""
	for _, x := range r.Readings {
		switch x.State {
		case Bad:
			if bad++; first == "" {
				first = x.Name + ": " + x.Text
			}
		case Warn:
			if x.Group != Works { // which only concludes from the others
				warn++
			}
		}
	}
	switch {
	case bad > 0:
		return fmt.Sprintf("NOT READY  %s", first)
	case warn == 1:
		return "READY  nothing prevents a run; 1 thing makes it worse than it could be"
	case warn > 0:
		return fmt.Sprintf("READY  nothing prevents a run; %d things make it worse than it could be", warn)
	}
	return "READY  nothing prevents a run"
}

func title(group Group) string {
	if group == Works {
		return "WORKS HERE"
	}
	return strings.ToUpper(string(group))
}

func mark(s State) string {
	switch s {
	case OK:
		return "✓"
	case Warn:
		return "!"
	case Bad:
		return "✗"
	}
	return "~"
}

// wrapped breaks text at blanks.
func wrapped(text string, width int) []string {
	var out []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			out, line = append(out, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}
