package guard

import (
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []Condition // pattern is not compared
	}{
		{"p99>200ms", []Condition{{Text: "p99>200ms", metric: p99, op: ">", value: 0.2}}},
		{" cpu >= 90% for 5s or goroutines>10k", []Condition{
			{Text: "cpu >= 90% for 5s", metric: cpu, op: ">=", value: 0.9, share: true, hold: 5 * time.Second},
			{Text: "goroutines>10k", metric: goroutines, op: ">", value: 10000},
		}},
		{"max>1s", []Condition{{Text: "max>1s", metric: slowest, op: ">", value: 1}}},
		{"cpu>1.5", []Condition{{Text: "cpu>1.5", metric: cpu, op: ">", value: 1.5}}},
		{"gc>30%", []Condition{{Text: "gc>30%", metric: gc, op: ">", value: 0.3}}},
		{"heap<2GiB", []Condition{{Text: "heap<2GiB", metric: heap, op: "<", value: 2 << 30}}},
		{"p50<=500µs", []Condition{{Text: "p50<=500µs", metric: p50, op: "<=", value: 500e-6}}},
		{"signal or log~panic", []Condition{{Text: "signal", metric: signalled}, {Text: "log~panic", metric: logLine}}},
		{`log~"out of memory" or rss>1GB`, []Condition{{Text: `log~"out of memory"`, metric: logLine}, {Text: "rss>1GB", metric: rss, op: ">", value: 1e9}}},
		{"log~/a or b/ or signal", []Condition{{Text: "log~/a or b/", metric: logLine}, {Text: "signal", metric: signalled}}},
	} {
		got, err := Parse(tt.text)
		if err != nil || len(got) != len(tt.want) {
			t.Errorf("%s: %v, %v", tt.text, got, err)
			continue
		}
		for i, c := range got {
			c.pattern = nil
			if d := c.value - tt.want[i].value; d < 1e-9 && d > -1e-9 {
				c.value = tt.want[i].value
			}
			if c != tt.want[i] {
				t.Errorf("%s: %+v, want %+v", tt.text, c, tt.want[i])
			}
		}
	}
}

// TestParseErrors: each says where, and what can stand there.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "column 1: the end, want a metric, one of p99, p50",
		"p98>2s":                   `column 1: "p98>2s", want a metric, one of`,
		"gorutines>5":              `did you mean "goroutines"?`,
		"errors>1%":                "sees no status; follow a log: log~PATTERN",
		"p99":                      "column 4: the end, want one of > >= < <=",
		"p99=200ms":                `column 4: "=200ms", want one of`,
		"p99>200":                  `column 5: "200", want a value such as 200ms`,
		"p99>ms":                   "want a value such as 200ms",
		"p99>1..5ms":               "want a value such as 200ms",
		"heap>2TB":                 "want a value such as 2GB",
		"gc>0.3":                   "want a value such as 30%",
		"p99>1s and cpu>2":         `column 8: "and", want "or" and another condition`,
		"p99>1s or":                "column 10: the end, want a metric",
		"p99>1s for":               "want a time above 0, such as 5s",
		"p99>1s for -5s":           `"-5s", want a time above 0`,
		"cpu>1 for 3":              "want a time above 0",
		"log":                      "~ and a pattern",
		"log~":                     "a pattern that is not empty",
		`log~"a`:                   "quotes that end",
		"log~/a":                   "between two slashes",
		"log~(":                    "a regular expression (error parsing regexp",
		"signal 3":                 `want "or" and another`,
		"µ>3":                      "column 1:",
		"\xff":                     "no UTF-8",
		strings.Repeat("p", 5000):  "too long",
		"cpu>" + longNumber + "%":  "want a value such as",
		"p99>1s or µµ or p99>200x": `column 11: "µµ"`,
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

var longNumber = "1" + strings.Repeat("0", 400)

// FuzzParse: whatever is written, what was read says so in its own text, which is read alike.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"p99>200ms for 5s or cpu>90%", `log~"a b" or signal`, "log~/x/ or heap>=2GiB", "p99>", "or", "goroutines < 5M"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := Parse(text)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error that says nothing")
			}
			return
		}
		for _, c := range all {
			again, err := Parse(c.Text)
			if err != nil || len(again) != 1 || again[0].metric != c.metric || again[0].value != c.value || again[0].hold != c.hold || again[0].Text != c.Text {
				t.Errorf("%q: %q is read as %v, %v", text, c.Text, again, err)
			}
		}
	})
}

func TestParseLimit(t *testing.T) {
	for text, want := range map[string]Limit{"2/h": {2, time.Hour}, "10/d": {10, 24 * time.Hour}, "1/15m": {1, 15 * time.Minute}, "none": {}, "3/m": {3, time.Minute}} {
		got, err := ParseLimit(text)
		if err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "2", "/h", "0/h", "-1/h", "2/", "2/x", "2/-1h", "x/h"} {
		if got, err := ParseLimit(text); err == nil || !strings.Contains(err.Error(), "2/h") {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}
