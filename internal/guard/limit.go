package guard

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Limit is how many catches there may be in any stretch of a length. The zero value has no limit.
type Limit struct {
	N   int
	Per time.Duration
}

// ParseLimit reads "2/h", "10/d", "1/15m", or "none".
func ParseLimit(text string) (Limit, error) {
	if text == "none" {
		return Limit{}, nil
	}
	number, per, ok := strings.Cut(text, "/")
	n, err := strconv.Atoi(number)
	length, known := map[string]time.Duration{"m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}[per]
	if !known && ok {
		var bad error
		length, bad = time.ParseDuration(per)
		ok = bad == nil && length > 0
	}
	if !ok || err != nil || n < 1 {
		return Limit{}, fmt.Errorf("%q is no limit: write a number for a time, such as 2/h, 10/d or 1/15m, or none", text)
	}
	return Limit{n, length}, nil
}

// String is what ParseLimit reads.
func (l Limit) String() string {
	if l.N == 0 {
		return "none"
	}
	for unit, d := range map[string]time.Duration{"m": time.Minute, "h": time.Hour, "d": 24 * time.Hour} {
		if d == l.Per {
			return fmt.Sprintf("%d/%s", l.N, unit)
		}
	}
	return fmt.Sprintf("%d/%v", l.N, l.Per)
}

// limiter counts catches.
type limiter struct {
	limit Limit
	taken []time.Time // within limit.Per
}

// take takes one, if there is one left; next is when there is one again.
func (l *limiter) take(now time.Time) (next time.Time, ok bool) {
	if l.limit.N == 0 {
		return now, true
	}
	for len(l.taken) > 0 && now.Sub(l.taken[0]) >= l.limit.Per {
		l.taken = l.taken[1:]
	}
	if len(l.taken) >= l.limit.N {
		return l.taken[0].Add(l.limit.Per), false
	}
	l.taken = append(l.taken, now)
	return now, true
}
