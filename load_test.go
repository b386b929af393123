package unpark_test

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestAttempts: an unexpected status is an answer and an error, and one request.
func TestAttempts(t *testing.T) {
	for name, c := range map[string]struct {
		load     unpark.Load
		attempts int64
		share    unpark.Number
	}{
		"nothing":             {unpark.Load{}, 0, unpark.Number{}},
		"no error":            {unpark.Load{Requests: 10}, 10, unpark.Num(0)},
		"no answer":           {unpark.Load{Errors: 4, ErrorKinds: map[string]int64{"refused": 4}}, 4, unpark.Num(1)},
		"all of wrong status": {unpark.Load{Requests: 8, Errors: 8, ErrorKinds: map[string]int64{"status": 8}}, 8, unpark.Num(1)},
		"both":                {unpark.Load{Requests: 8, Errors: 4, ErrorKinds: map[string]int64{"status": 2, "reset": 2}}, 10, unpark.Num(0.4)},
		"another's own rule":  {unpark.Load{Requests: 8, Errors: 2, ErrorKinds: map[string]int64{"unexpected": 2}}, 8, unpark.Num(0.25)},
		// Requests are those answered within the stretch, errors those intended in it.
		"answered after it": {unpark.Load{Requests: 1, Errors: 3, ErrorKinds: map[string]int64{"status": 3}}, 3, unpark.Num(1)},
	} {
		if a, s := c.load.Attempts(), c.load.FailedShare(); a != c.attempts || s != c.share {
			t.Errorf("%s: %d attempts, %v failed; want %d, %v", name, a, s, c.attempts, c.share)
		}
	}
}

// TestAnswered: what void parts of a load had answered is of the target's requests too, and in no other figure.
func TestAnswered(t *testing.T) {
	l := unpark.Load{Requests: 100, Seconds: 4, AchievedRPS: 25}
	if n, rate := l.Answered(), l.AnsweredRPS(); n != 100 || rate != 25 {
		t.Errorf("nothing beside: %v, %v/s", n, rate)
	}
	l.Beside = unpark.Num(60)
	if n, rate := l.Answered(), l.AnsweredRPS(); n != 160 || rate != 40 || l.Attempts() != 100 {
		t.Errorf("60 beside: %v, %v/s, %d attempts", n, rate, l.Attempts())
	}
}
