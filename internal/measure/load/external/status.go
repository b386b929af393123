package external

import (
	"errors"
	"math"
	"strconv"

	"github.com/unpark-go/unpark"
)

// addStatus counts answers with a status. As in package load, an answer outside
// 200–399 is an error that counts as a request too.
func addStatus(l *unpark.Load, code string, n int64) {
	if n <= 0 {
		return
	}
	l.Status[code] = min(l.Status[code]+n, exact)
	if c, err := strconv.Atoi(code); err != nil || c < 200 || c > 399 {
		addError(l, "status", n)
		if sample := "status " + code; l.ErrorSample == "" || sample < l.ErrorSample { // a map has no first one
			l.ErrorSample = sample
		}
	}
}

// addError counts failures of one kind.
func addError(l *unpark.Load, kind string, n int64) {
	if n > 0 {
		l.ErrorKinds[kind] = min(l.ErrorKinds[kind]+n, exact)
		l.Errors = min(l.Errors+n, exact)
	}
}

// rate returns n per second, 0 when there was no time.
func rate(n int64, seconds float64) float64 {
	if v := float64(n) / seconds; seconds > 0 && !math.IsInf(v, 0) {
		return v
	}
	return 0
}

// orNone gives an error where there should be one.
func orNone(err error) error {
	if err == nil {
		return errors.New("a part of it is null")
	}
	return err
}
