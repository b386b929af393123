package dump

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
)

func sentence(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// counted is "1 lock" or "3 locks".
func counted(n int, noun string) string {
	return unpark.Counted(int64(n), noun)
}

// numbered names goroutines: "goroutine 7", "goroutines 7, 8 and 12 more".
func numbered(all []*member) string {
	const most = 3
	var names []string
	for _, m := range all[:min(most, len(all))] {
		names = append(names, strconv.FormatInt(m.id, 10))
	}
	text := plural(all, "goroutine ", "goroutines ") + strings.Join(names, ", ")
	if n := len(all) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

func plural(all []*member, one, many string) string {
	if len(all) == 1 {
		return one
	}
	return many
}

// orElse names an object, or what it must be where its address is unknown.
func orElse(o object, what string) string {
	if o.kind == "" {
		return what
	}
	return o.String()
}
