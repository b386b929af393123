package requests

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"time"
)

const (
	maxArrivals  = 10_000_000 // eight bytes each
	maxStampLine = 1 << 20    // bytes; a line of a log may carry a long URL
	// slack is how far arrivals may be out of order: a log line is written when
	// the answer was sent, with the time at which the request came.
	slack = time.Second
	// maxStamp is 126 years: enough for seconds since 1970, too little for
	// milliseconds, and differences still fit a time.Duration.
	maxStamp = 4e9
)

// Timestamps reads one arrival a line and returns their offsets from the first,
// ascending. A line is a number of seconds (since whatever moment), an instant
// as in RFC 3339, or a line of a log with a time in brackets as in the common log
// format ([10/Oct/2000:13:55:36 -0700], whole seconds); the first line decides
// for all. Empty lines and lines that begin with # are left out.
//
// An arrival up to one second before an earlier line is put in order; one
// further back, a broken line, or more than ten million arrivals are errors that
// name file and line.
func Timestamps(name string, r io.Reader) ([]time.Duration, error) {
	s := stamps{name: name}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(make([]byte, 0, 64<<10), maxStampLine)
	for scanner.Scan() {
		s.line++
		text := bytes.TrimSpace(scanner.Bytes())
		if s.line == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		if err := s.add(text); err != nil {
			return nil, fmt.Errorf("%s:%d: %q: %w", name, s.line, short(string(text)), err)
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: read arrivals: %w", name, s.line+1, err)
	}
	if len(s.out) == 0 {
		return nil, fmt.Errorf("read arrivals %s: it holds none; write one a line, such as 0.25", name)
	}
	if s.unsorted {
		slices.Sort(s.out)
	}
	first := s.out[0]
	for i := range s.out {
		s.out[i] -= first
	}
	return s.out, nil
}

// stamps is a file of arrivals that is being read.
type stamps struct {
	name     string
	line     int
	parse    func(text []byte) (time.Duration, error)
	out      []time.Duration // since 1970, or since what the file counts from
	latest   time.Duration
	unsorted bool
}

func (s *stamps) add(text []byte) error {
	if len(s.out) == maxArrivals {
		return fmt.Errorf("more than %d arrivals; replay a shorter stretch", maxArrivals)
	}
	if s.parse == nil {
		s.parse = stampParser(text)
	}
	at, err := s.parse(text)
	if err != nil {
		return err
	}
	switch {
	case len(s.out) == 0 || at >= s.latest:
		s.latest = at
	case s.latest-at > slack:
		return fmt.Errorf("%v before an earlier line; sort the file by time", s.latest-at)
	default:
		s.unsorted = true
	}
	s.out = append(s.out, at)
	return nil
}

// stampParser chooses by the first line.
func stampParser(text []byte) func([]byte) (time.Duration, error) {
	switch {
	case bytes.IndexByte(text, '[') >= 0:
		return logStamp
	case bytes.IndexByte(text, 'T') > 0 || bytes.IndexByte(text, 't') > 0:
		return instantStamp
	}
	return secondsStamp
}

func secondsStamp(text []byte) (time.Duration, error) {
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.IsNaN(v) {
		return 0, errors.New("not an arrival; write seconds (0.25), or an instant (2006-01-02T15:04:05.25Z), in every line")
	}
	if math.Abs(v) > maxStamp {
		return 0, errors.New("more than 4e9 seconds; are these milliseconds? Divide by 1000")
	}
	whole, part := math.Modf(v) // keeps the digits that v·1e9 would round
	return time.Duration(whole)*time.Second + time.Duration(math.Round(part*1e9)), nil
}

func instantStamp(text []byte) (time.Duration, error) {
	t, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		return 0, errors.New("not an instant as in RFC 3339; write 2006-01-02T15:04:05.25Z in every line")
	}
	return sinceEpoch(t)
}

func logStamp(text []byte) (time.Duration, error) {
	_, after, opened := bytes.Cut(text, []byte("["))
	field, _, closed := bytes.Cut(after, []byte("]"))
	t, err := time.Parse("02/Jan/2006:15:04:05 -0700", string(field))
	if !opened || !closed || err != nil {
		return 0, errors.New("no time in brackets as in the common log format, such as [10/Oct/2000:13:55:36 -0700]")
	}
	return sinceEpoch(t)
}

func sinceEpoch(t time.Time) (time.Duration, error) {
	if s := float64(t.Unix()); math.Abs(s) > maxStamp {
		return 0, fmt.Errorf("the year %d is too far away", t.Year())
	}
	return time.Duration(t.UnixNano()), nil
}
