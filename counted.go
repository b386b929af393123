package unpark

import (
	"strconv"
	"strings"
)

// Counted returns a number with its noun in the right form: "1 process",
// "2 processes".
func Counted(n int64, noun string) string { return Plural(strconv.FormatInt(n, 10), noun) }

// Plural returns a printed figure with its noun, which stays as it is behind "1" alone.
func Plural(figure, noun string) string {
	if figure == "1" {
		return figure + " " + noun
	}
	for _, end := range [...]string{"s", "x", "ch", "sh"} {
		if strings.HasSuffix(noun, end) {
			return figure + " " + noun + "es"
		}
	}
	return figure + " " + noun + "s"
}
