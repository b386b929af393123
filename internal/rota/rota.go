// Package rota spreads over the days what is too long for every run of the test
// suite: simulations by the thousand, whose answer changes with the code and not
// with the day. One part is on at a time, and most tests come round within a week, the
// labs' loops within three.
package rota

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// Variable names the environment variable that says which parts are on: "all", or
// the number of a day in place of today's.
const Variable = "UNPARK_ROTA"

// Long reports whether the long form of one part, from 0, of a test is on: not under
// -short, and only when it is its turn. The other parts run in their short form.
func Long(part, parts int) bool { return !testing.Short() && On(part, parts) }

// On reports whether part, from 0, of parts is on today.
func On(part, parts int) bool {
	return on(os.Getenv(Variable), time.Now(), part, parts)
}

// on counts days from 1970 in UTC, so that a part's turn does not depend on where
// the machine is, and comes after the same number of days also at New Year.
func on(asked string, now time.Time, part, parts int) bool {
	if asked == "all" {
		return true
	}
	day, err := strconv.Atoi(asked)
	if err != nil {
		day = int(now.Unix() / (24 * 60 * 60))
	}
	return ((day-part)%parts+parts)%parts == 0
}
