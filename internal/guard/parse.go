package guard

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/unpark-go/unpark/internal/nearest"
)

// longestText bounds the text of conditions, in bytes.
const longestText = 4096

// Parse reads conditions:
//
//	CONDITION [or CONDITION]…
//	CONDITION = METRIC OP VALUE [for DURATION] | log~PATTERN | signal
//
// OP is >, >=, < or <=. PATTERN is a regular expression up to the next blank, or between double quotes as in Go, or
// between slashes. Errors say at which column, from 1, and what can stand there.
func Parse(text string) ([]Condition, error) {
	p := parser{text: text}
	if len(text) > longestText {
		return nil, fmt.Errorf("%d bytes are too long for conditions: %d at most", len(text), longestText)
	}
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("%q is no UTF-8", text)
	}
	var out []Condition
	for {
		c, err := p.condition()
		if err != nil {
			return nil, err
		}
		out = append(out, c)
		p.blanks()
		if p.done() {
			return out, nil
		}
		at := p.at
		if p.word() != "or" {
			return nil, p.fail(at, "\"or\" and another condition, or the end")
		}
	}
}

// parser reads one text from the left.
type parser struct {
	text string
	at   int
}

func (p *parser) done() bool { return p.at >= len(p.text) }

func (p *parser) rest() string { return p.text[p.at:] }

func (p *parser) blanks() { p.at += len(p.rest()) - len(strings.TrimLeft(p.rest(), " \t\n")) }

// take takes the longest beginning of the rest that has only letters of a set.
func (p *parser) take(of func(rune) bool) string {
	rest := p.rest()
	n := strings.IndexFunc(rest, func(r rune) bool { return !of(r) })
	if n < 0 {
		n = len(rest)
	}
	p.at += n
	return rest[:n]
}

func (p *parser) word() string {
	return p.take(func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
	})
}

// fail says what can stand at an offset.
func (p *parser) fail(at int, want string) error {
	found := "the end"
	if at < len(p.text) {
		word, _, _ := strings.Cut(p.text[at:], " ")
		if r := []rune(word); len(r) > 30 {
			word = string(r[:30]) + "…"
		}
		found = strconv.Quote(word)
	}
	return fmt.Errorf("column %d: %s, want %s", utf8.RuneCountInString(p.text[:at])+1, found, want)
}

func (p *parser) condition() (Condition, error) {
	p.blanks()
	begin := p.at
	word := p.word()
	c := Condition{}
	var names []string
	for _, m := range metrics {
		names = append(names, string(m))
		if string(m) == word {
			c.metric = m
		}
	}
	if c.metric == "" {
		if word == "errors" {
			return c, p.fail(begin, "another metric: the middleware hands responses on as they are and sees no status; follow a log: log~PATTERN")
		}
		return c, p.fail(begin, "a metric, one of "+strings.Join(names, ", ")+nearest.Suggestion(word, names))
	}
	err := p.about(&c)
	c.Text = p.text[begin:p.at]
	return c, err
}

// about reads what follows the metric.
func (p *parser) about(c *Condition) error {
	switch {
	case c.metric == signalled:
		return nil
	case c.metric == logLine:
		return p.matching(c)
	}
	p.blanks()
	at := p.at
	switch c.op = p.take(func(r rune) bool { return strings.ContainsRune("<>=!~", r) }); c.op {
	case ">", ">=", "<", "<=":
	default:
		return p.fail(at, "one of > >= < <= and a value, such as "+string(c.metric)+">"+example(c.metric))
	}
	p.blanks()
	if err := p.quantity(c); err != nil {
		return err
	}
	return p.lasting(c)
}

// matching reads the pattern of a log's lines.
func (p *parser) matching(c *Condition) error {
	p.blanks()
	if !strings.HasPrefix(p.rest(), "~") {
		return p.fail(p.at, "~ and a pattern, such as log~panic or log~\"out of memory\"")
	}
	p.at++
	at := p.at
	pattern := ""
	switch rest := p.rest(); {
	case strings.HasPrefix(rest, `"`):
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return p.fail(at, "a pattern in quotes that end")
		}
		p.at += len(quoted)
		if pattern, err = strconv.Unquote(quoted); err != nil {
			return p.fail(at, "a pattern in quotes as Go has them")
		}
	case strings.HasPrefix(rest, "/"):
		end := strings.IndexByte(rest[1:], '/')
		if end < 0 {
			return p.fail(at, "a pattern between two slashes")
		}
		pattern, p.at = rest[1:1+end], p.at+end+2
	default:
		pattern = p.take(func(r rune) bool { return !strings.ContainsRune(" \t\n", r) })
	}
	if pattern == "" {
		return p.fail(at, "a pattern that is not empty: an empty one is in every line")
	}
	var err error
	if c.pattern, err = regexp.Compile(pattern); err != nil {
		return p.fail(at, fmt.Sprintf("a regular expression (%v)", err))
	}
	return nil
}

// quantity reads the value in a unit of the metric's.
func (p *parser) quantity(c *Condition) error {
	at := p.at
	number := p.take(func(r rune) bool { return r >= '0' && r <= '9' || r == '.' })
	unit := p.take(func(r rune) bool { return r > ' ' && r != '.' && (r < '0' || r > '9') })
	v, err := strconv.ParseFloat(number, 64)
	by, ok := factors(c.metric)[unit]
	if err != nil || !ok || math.IsInf(v*by, 0) {
		p.at = at
		return p.fail(at, "a value such as "+example(c.metric))
	}
	c.value, c.share = v*by, c.metric == cpu && unit == "%"
	return nil
}

// factors are the units that a metric's value may have.
func factors(m metric) map[string]float64 {
	switch m {
	case p99, p50, slowest:
		return map[string]float64{"s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6}
	case cpu:
		return map[string]float64{"": 1, "%": 0.01}
	case gc:
		return map[string]float64{"%": 0.01}
	case heap, rss:
		return map[string]float64{"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
	}
	return map[string]float64{"": 1, "k": 1e3, "M": 1e6}
}

func example(m metric) string {
	switch m {
	case p99, p50, slowest:
		return "200ms"
	case cpu:
		return "90% (of the processors that it may use) or 1.5 (cores)"
	case gc:
		return "30%"
	case heap, rss:
		return "2GB"
	}
	return "10000"
}

// lasting reads how long the condition must hold, if that is said.
func (p *parser) lasting(c *Condition) error {
	before := p.at
	p.blanks()
	if p.word() != "for" {
		p.at = before
		return nil
	}
	p.blanks()
	at := p.at
	text := p.take(func(r rune) bool { return r > ' ' })
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return p.fail(at, "a time above 0, such as 5s")
	}
	c.hold = d
	return nil
}
