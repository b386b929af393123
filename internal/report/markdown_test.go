package report

import (
	"regexp"
	"strings"
	"testing"
)

func TestMarkdown(t *testing.T) {
	for name, r := range examples() {
		t.Run(name, func(t *testing.T) {
			text := render(t, Markdown, r)
			golden(t, name+".md", []byte(text))
			checkMarkdown(t, text)
		})
	}
}

var (
	tags      = regexp.MustCompile(`<[^>]*>`)
	reference = regexp.MustCompile(`&#\d+;`)
)

// checkMarkdown demands that names add no markup: only our own tags, only our
// own cells, and none of the characters that start something.
func checkMarkdown(t *testing.T, text string) {
	t.Helper()
	own := map[string]bool{"<code>": true, "</code>": true, "<br>": true, "<details>": true, "</details>": true, "<summary>": true, "</summary>": true}
	for _, tag := range tags.FindAllString(text, -1) {
		if !own[tag] {
			t.Errorf("a tag that is not ours: %s", tag)
		}
	}
	cells := 0
	for i, l := range strings.Split(text, "\n") {
		n := strings.Count(l, "|")
		if n == 0 {
			cells = 0
			continue
		}
		if cells == 0 {
			cells = n
		}
		if n != cells || !strings.HasPrefix(l, "|") {
			t.Errorf("line %d has %d bars in a table of %d: %s", i+1, n, cells, l)
		}
	}
	plain := reference.ReplaceAllString(text, "")
	if strings.ContainsAny(plain, "`[]\x1b\r") || strings.Contains(plain, "@") {
		t.Error("markup came through")
	}
}
