package requests_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/requests"
)

func TestTimestamps(t *testing.T) {
	ms := func(v ...int) (out []time.Duration) {
		for _, x := range v {
			out = append(out, time.Duration(x)*time.Millisecond)
		}
		return out
	}
	for _, c := range []struct {
		name, text string
		want       []time.Duration
	}{
		{"seconds", "0\n0.25\n\n# pause\n1e1\r\n", ms(0, 250, 10000)},
		{"not from zero", "1700000000.5\n1700000001", ms(0, 500)},
		{"a little out of order", "5\n6\n5.5\n4.999\n", nil},
		{"within a second", "5\n6\n5.5\n5.0\n6.25", ms(0, 0, 500, 1000, 1250)},
		{"earlier than the first", "5\n4.5\n", ms(0, 500)},
		{"instants", "2026-01-02T03:04:05Z\n2026-01-02T04:04:05.25+01:00\n", ms(0, 250)},
		{
			"a log", `127.0.0.1 - ann [10/Oct/2000:13:55:36 -0700] "GET /[a] HTTP/1.0" 200 2326` + "\n" +
				`127.0.0.1 - - [10/Oct/2000:20:55:38 +0000] "GET / HTTP/1.0" 200 1` + "\n", ms(0, 2000),
		},
		{"one", "-7", ms(0)},
	} {
		got, err := requests.Timestamps("arrivals.txt", strings.NewReader(c.text))
		if c.want == nil {
			if err == nil || !strings.Contains(err.Error(), `arrivals.txt:4: "4.999": 1.001s before an earlier line`) {
				t.Errorf("%s: %v, %v", c.name, got, err)
			}
			continue
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, c.want)
		}
	}
}

func TestTimestampErrors(t *testing.T) {
	for text, want := range map[string]string{
		"\n#x\n":                             "read arrivals a: it holds none",
		"1\nx\n":                             `a:2: "x": not an arrival`,
		"nan":                                "not an arrival",
		"1700000000000":                      "are these milliseconds?",
		"1\n2026-01-02T03:04:05Z":            `a:2: "2026-01-02T03:04:05Z": not an arrival`,
		"2026-01-02T03:04:05Z\n1":            `a:2: "1": not an instant`,
		"9999-01-02T03:04:05Z":               "the year 9999 is too far away",
		"h [10/Oct/2000:13:55:36]":           "no time in brackets",
		"h [10/Oct/2000:13:55:36 +000":       "no time in brackets",
		"1\n" + strings.Repeat("1", 1<<20+1): "a:2: read arrivals: bufio.Scanner: token too long",
	} {
		if _, err := requests.Timestamps("a", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %v, want %s", text, err, want)
		}
	}
}

func FuzzTimestamps(f *testing.F) {
	for _, s := range []string{"0\n1.5", "2026-01-02T03:04:05Z", "x [10/Oct/2000:13:55:36 -0700]", "-4e9\n4e9", "2\n1"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := requests.Timestamps("a", strings.NewReader(string(data)))
		if err != nil {
			return
		}
		if len(got) == 0 || got[0] != 0 || !slices.IsSorted(got) {
			t.Fatalf("%v", got)
		}
	})
}

func TestParseStages(t *testing.T) {
	for text, want := range map[string][]unpark.Stage{
		"steps:100,200,400/30s":   {{From: 100, To: 100, Duration: 30}, {From: 200, To: 200, Duration: 30}, {From: 400, To: 400, Duration: 30}},
		" steps:100, 0,50.5/1m ":  {{From: 100, To: 100, Duration: 60}, {Duration: 60}, {From: 50.5, To: 50.5, Duration: 60}},
		"spike:100..2000/10s@60s": {{From: 100, To: 100, Duration: 60}, {From: 2000, To: 2000, Duration: 10}, {From: 100, To: 100, Duration: 60}},
		"spike:0..20/500ms@0":     {{From: 20, To: 20, Duration: 0.5}, {Duration: 0.5}},
	} {
		got, err := requests.ParseStages(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                      `arrivals "": "" is no shape of arrivals; write steps:100,200,400/30s (rates per second, each for 30 s), or spike:`,
		"ramp:1..2/3s":          `"ramp" is no shape`,
		"steps:100,200":         "how long each step lasts is missing; write steps:100,200,400/30s",
		"steps:100,x/30s":       `the rate "x" is no number`,
		"steps:100,/30s":        `the rate "" is no number`,
		"steps:100,-1/30s":      "the rate -1 is not from 0",
		"steps:1e9/30s":         "the rate 1e+09 is not from 0",
		"steps:nan/30s":         `the rate "nan" is no number`,
		"steps:0,0/30s":         "no step is above rate 0",
		"steps:1/30":            `the length of a step "30" is no duration such as 30s or 2m`,
		"steps:1/-3s":           "the length of a step -3s is not above 0",
		"spike:100/10s@60s":     `"100" is no BASE..PEAK`,
		"spike:100..2000/10s":   "how long the spike lasts, or when it begins, is missing; write spike:",
		"spike:100..50/10s@60s": "the peak 50 is not above the base rate 100",
		"spike:x..50/10s@60s":   `the base rate "x"`,
		"spike:1..y/10s@60s":    `the peak "y"`,
		"spike:1..2/ten@60s":    `the length of the spike "ten"`,
		"spike:1..2/10s@later":  `when the spike begins "later"`,
		"steps:1" + strings.Repeat(",1", 1000) + "/1s": "1001 steps are more than 1000",
	} {
		if got, err := requests.ParseStages(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %v, %v; want %s", text, got, err, want)
		}
	}
}
