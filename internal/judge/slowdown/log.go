package slowdown

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"strconv"
	"strings"
	"time"
)

// counts is what one process counted at one delay over time.
type counts []reading

// reading is one line: calls and the time spun, since the process began.
type reading struct {
	at           int64 // Unix, nanoseconds
	calls, spent int64 // number; nanoseconds
}

// ReadLog reads the log that Source writes (lines of time, calls and nanoseconds spun)
// and returns the calls and the seconds spun between two instants. A last line that was
// cut off is left out; anything else that is not such a line is an error with its number.
func ReadLog(r io.Reader, from, to time.Time) (calls, spent float64, err error) {
	l, err := readCounts(r)
	if err != nil {
		return 0, 0, fmt.Errorf("read the log of a delay: %w", err)
	}
	calls, spent = l.between(from, to)
	return calls, spent, nil
}

func readCounts(r io.Reader) (counts, error) {
	var out counts
	lines := bufio.NewReaderSize(r, 256)
	for n := 1; n <= mostLines; n++ {
		text, err := lines.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			return out, nil // a cut line has no end
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		v, err := parseReading(string(text))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if len(out) > 0 && (v.at < out[len(out)-1].at || v.calls < out[len(out)-1].calls || v.spent < out[len(out)-1].spent) {
			return nil, fmt.Errorf("line %d: it goes backwards", n)
		}
		out = append(out, v)
	}
	return out, nil
}

func parseReading(line string) (reading, error) {
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return reading{}, fmt.Errorf("%d fields, want 3", len(fields))
	}
	var v [3]int64
	for i, f := range fields {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil || n < 0 {
			return reading{}, fmt.Errorf("%q is not a count", f)
		}
		v[i] = n
	}
	return reading{v[0], v[1], v[2]}, nil
}

// between returns the calls and the seconds spun from start to end. Before its first
// line a process had none, after its last it had no more.
func (l counts) between(start, end time.Time) (calls, spent float64) {
	c1, s1 := l.at(start.UnixNano())
	c2, s2 := l.at(end.UnixNano())
	return max(0, c2-c1), max(0, s2-s1) / 1e9
}

// at interpolates between the lines around t.
func (l counts) at(t int64) (calls, spent float64) {
	i := sort.Search(len(l), func(i int) bool { return l[i].at > t })
	if i == 0 {
		return 0, 0
	}
	a := l[i-1]
	if i == len(l) {
		return float64(a.calls), float64(a.spent)
	}
	b := l[i]
	part := float64(t-a.at) / math.Max(1, float64(b.at-a.at))
	return float64(a.calls) + part*float64(b.calls-a.calls), float64(a.spent) + part*float64(b.spent-a.spent)
}
