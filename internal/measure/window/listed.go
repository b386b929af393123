package window

import (
	"context"
	"regexp"
	"strconv"
)

// listed is the row of goroutines on the page on which net/http/pprof lists its profiles.
var listed = regexp.MustCompile(`<td>(\d+)</td>\s*<td><a href=['"]?goroutine\?debug=1`)

// Goroutines is how many the process has, by the page that lists profiles: that counts them, and
// looks at none. False where it does not say.
func (e *Endpoint) Goroutines(ctx context.Context) (int, bool) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	body, err := e.get(ctx, e.base, 1<<20)
	if err != nil {
		return 0, false
	}
	m := listed.FindSubmatch(body)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(string(m[1]))
	return n, err == nil
}
