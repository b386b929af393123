package archtest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// skip is the line of an excerpt that stands for lines of the whole.
const skip = "…"

// TestExcerpts: what the README shows of the demo is in docs/demo.md, which holds all of
// what it printed, in the same order, so that one is not changed without the other.
func TestExcerpts(t *testing.T) {
	readme, whole := lines(t, "../../README.md"), lines(t, "../../docs/demo.md")
	for _, heading := range []string{"## A verdict", "## Whether the fix did it"} {
		excerpt := block(readme, heading)
		if len(excerpt) < 10 {
			t.Errorf("README.md: %q has %d lines of the demo", heading, len(excerpt))
		}
		if err := excerptOf(excerpt, whole); err != nil {
			t.Errorf("README.md: %q: %v", heading, err)
		}
	}
}

func lines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")
}

// block returns the lines of the first block of text after a heading.
func block(lines []string, heading string) []string {
	from := slices.Index(lines, heading)
	if from < 0 {
		return nil
	}
	from += 1 + slices.Index(lines[from:], "```text")
	return lines[from : from+slices.Index(lines[from:], "```")]
}

// excerptOf says which line of an excerpt does not follow the one before it in the
// whole, or nowhere does after a skip.
func excerptOf(excerpt, whole []string) error {
	at, skipped := 0, true
	for _, line := range excerpt {
		if line == skip {
			skipped = true
			continue
		}
		i := slices.Index(whole[at:], line)
		if i < 0 || i > 0 && !skipped {
			return fmt.Errorf("the line %q is not in docs/demo.md, or not in this place", line)
		}
		at, skipped = at+i+1, false
	}
	return nil
}

func TestExcerptOf(t *testing.T) {
	whole := []string{"a", "b", "", "c", "d"}
	for _, c := range []struct {
		excerpt string
		ok      bool
	}{
		{"a b", true},
		{"b  c", true},
		{"a … d …", true},
		{"… c d", true},
		{"a c", false},
		{"c … a", false},
		{"a … e", false},
	} {
		if err := excerptOf(strings.Split(c.excerpt, " "), whole); (err == nil) != c.ok {
			t.Errorf("%q: %v", c.excerpt, err)
		}
	}
}
