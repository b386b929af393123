package check

import (
	"encoding/xml"
	"io"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
)

// The elements of JUnit's XML that CI systems read.
type (
	junitSuites struct {
		XMLName  xml.Name   `xml:"testsuites"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Suite    junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
		Out      string      `xml:"system-out,omitempty"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitOutcome `xml:"failure"`
		Error   *junitOutcome `xml:"error"`
		Skipped *junitOutcome `xml:"skipped"`
	}
	junitOutcome struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes a check as JUnit XML: one test case a bound. Broken is a failure,
// not measured and void are errors, and cannot tell is skipped, with the reason.
func JUnit(w io.Writer, c unpark.Check) error {
	suite := junitSuite{Name: "unpark check", Out: escape.Prose(falsely(c))}
	for _, n := range c.Void {
		suite.Errors++
		suite.Cases = append(suite.Cases, junitCase{
			Class: "unpark.run", Name: escape.Prose(n.Code), Error: &junitOutcome{escape.Prose(n.Message), "void", escape.Prose(n.Cure)},
		})
	}
	for _, j := range c.Bounds {
		t := junitCase{Class: "unpark.budget", Name: escape.Prose(name(j.Bound) + " " + j.Text), File: c.Budget, Line: j.Line}
		o := &junitOutcome{Message: escape.Prose(outcome(j)), Type: string(j.State)}
		for _, f := range j.Findings {
			o.Text += escape.Prose(named(f)) + "\n"
		}
		switch j.State {
		case unpark.BoundBroken:
			t.Failure = o
			suite.Failures++
		case unpark.BoundUnmeasured:
			t.Error = o
			suite.Errors++
		case unpark.BoundUnsure:
			o.Type = "" // no attribute of <skipped>
			t.Skipped = o
			suite.Skipped++
		}
		suite.Cases = append(suite.Cases, t)
	}
	suite.Tests = len(suite.Cases)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	err := e.Encode(junitSuites{
		Name: "unpark", Tests: suite.Tests, Failures: suite.Failures, Errors: suite.Errors, Skipped: suite.Skipped, Suite: suite,
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, "\n")
	return err
}
