package check_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/check"
)

var update = flag.Bool("update", false, "write the golden files")

// places are those of a repository with the module in a folder of it.
func places() check.Places {
	return check.Places{Root: "/checkout/mono", Module: "github.com/acme/shop", Prefix: "services/shop"}
}

// checks are what the printers must cope with, by name.
func checks(t *testing.T) map[string]unpark.Check {
	t.Helper()
	text, err := os.ReadFile("testdata/budget.yaml")
	if err != nil {
		t.Fatal(err)
	}
	budget, err := check.Read("ci/unpark.budget.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	slow, old := with(func(f *figures) { f.rps, f.p99, f.errors = 420, 0.12, 9 }), run(usual())
	slow.Findings = []unpark.Finding{lock(), alloc()}
	slow.Flames, old.Flames = []unpark.Flame{flame()}, []unpark.Flame{flame()}
	good := run(usual())
	void := run(usual())
	void.Void = []unpark.Notice{{Code: "generator-cpu", Message: "the generator was the limit", Cure: "give it a core of its own"}}
	bad := run(usual())
	bad.Findings = []unpark.Finding{hostile()}
	forbid, err := check.Read("we ird,a:b%.yaml", []byte("no_findings: any\nwaiters: {\"*|<b>`::\": < 1}"))
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := run(usual())
	elsewhere.Host.Model = "another"
	return map[string]unpark.Check{
		"broken":    check.Judge(check.Subject{Name: "runs/now", Run: slow, Baselines: []unpark.Run{old}, Names: []string{"runs/main"}}, budget),
		"kept":      check.Judge(check.Subject{Name: "runs/now", Run: good, Baselines: []unpark.Run{old, old, old}, Names: []string{"a", "b", "c"}}, check.Default()),
		"void":      check.Judge(check.Subject{Name: "runs/now", Run: void}, budget),
		"elsewhere": check.Judge(check.Subject{Name: "runs/now", Run: good, Baselines: []unpark.Run{elsewhere}, Names: []string{"runs/main"}}, check.Default()),
		"hostile":   check.Judge(check.Subject{Name: "runs/\x1b[31m|now", Run: bad}, forbid),
		"nothing":   {},
	}
}

// formats prints a check in every form.
func formats() map[string]func(io.Writer, unpark.Check) error {
	return map[string]func(io.Writer, unpark.Check) error{
		"txt": check.Text, "md": check.Markdown, "xml": check.JUnit,
		"sarif":  func(w io.Writer, c unpark.Check) error { return check.SARIF(w, c, places()) },
		"github": func(w io.Writer, c unpark.Check) error { return check.GitHub(w, c, places()) },
	}
}

func printed(t *testing.T, c unpark.Check, form string) string {
	t.Helper()
	var b bytes.Buffer
	if err := formats()[form](&b, c); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for name, c := range checks(t) {
		for form := range formats() {
			got, file := printed(t, c, form), filepath.Join("testdata", name+"."+form)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil || got != string(want) {
				t.Errorf("%s: %v\n%s", file, err, got)
			}
		}
	}
}

// TestHostile: no name ends a line, an element or a cell, and none reaches a
// terminal as it is.
func TestHostile(t *testing.T) {
	c := checks(t)["hostile"]
	if c.Count(unpark.BoundBroken) != 1 {
		t.Fatalf("%+v", c.Bounds)
	}
	for form := range formats() {
		got := printed(t, c, form)
		if strings.IndexFunc(got, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }) >= 0 {
			t.Errorf("%s: not printable: %q", form, got)
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(printed(t, c, "github")), "\n") {
		if !regexp.MustCompile(`^::(error|warning) (file=[^:,]*,(line=\d+,)?)?title=[^:,]*::.*$`).MatchString(line) {
			t.Errorf("no workflow command: %s", line)
		}
	}
	if md := printed(t, c, "md"); strings.Contains(md, "<script>") || strings.Contains(md, "<b>") || regexp.MustCompile(`(?m)^\|(.*\|){8,}$`).MatchString(md) {
		t.Errorf("Markdown: %s", md)
	}
}

// TestJUnitReadsBack: what a CI system would count.
func TestJUnitReadsBack(t *testing.T) {
	type outcome struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	type testcase struct {
		Name    string   `xml:"name,attr"`
		Class   string   `xml:"classname,attr"`
		Failure *outcome `xml:"failure"`
		Error   *outcome `xml:"error"`
		Skipped *outcome `xml:"skipped"`
	}
	type suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suite    []struct {
			Cases []testcase `xml:"testcase"`
		} `xml:"testsuite"`
	}
	for name, c := range checks(t) {
		var got suites
		if err := xml.Unmarshal([]byte(printed(t, c, "xml")), &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var failures, errs, skipped int
		for _, x := range got.Suite[0].Cases {
			switch {
			case x.Failure != nil:
				failures++
			case x.Error != nil:
				errs++
			case x.Skipped != nil:
				skipped++
			}
			if x.Name == "" || x.Class == "" {
				t.Errorf("%s: %+v", name, x)
			}
		}
		if n := len(got.Suite[0].Cases); n != got.Tests || n != len(c.Bounds)+len(c.Void) || failures != got.Failures ||
			errs != got.Errors || skipped != got.Skipped || failures != c.Count(unpark.BoundBroken) || skipped != c.Count(unpark.BoundUnsure) {
			t.Errorf("%s: %d cases, %d failures, %d errors, %d skipped: %+v", name, n, failures, errs, skipped, got)
		}
	}
	var hostile suites
	if err := xml.Unmarshal([]byte(printed(t, checks(t)["hostile"], "xml")), &hostile); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(hostile.Suite[0].Cases, func(c testcase) bool { return c.Failure != nil })
	if got := hostile.Suite[0].Cases[i].Failure.Message; !strings.Contains(got, "a|b <script>alert(1)</script> `x` ]]>") {
		t.Errorf("the title did not survive: %q", got)
	}
}

// TestSARIFFitsTheSchema: what SARIF requires of the parts that are written.
func TestSARIFFitsTheSchema(t *testing.T) {
	schema := compile(t, "testdata/sarif.schema.json")
	for name, c := range checks(t) {
		text := printed(t, c, "sarif")
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(document); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var log struct {
			Runs []struct {
				Tool struct {
					Driver struct {
						Rules []struct{ ID string }
					}
				}
				Results []struct {
					RuleID    string
					RuleIndex int
					Level     string
				}
			}
		}
		if err := json.Unmarshal([]byte(text), &log); err != nil {
			t.Fatal(err)
		}
		for _, r := range log.Runs[0].Results {
			if rules := log.Runs[0].Tool.Driver.Rules; rules[r.RuleIndex].ID != r.RuleID {
				t.Errorf("%s: rule %d is %q, not %q", name, r.RuleIndex, rules[r.RuleIndex].ID, r.RuleID)
			}
		}
	}
	for _, broken := range []string{`{}`, `{"version":"2.0.0","runs":[]}`, `{"version":"2.1.0","runs":[{"results":[]}]}`} {
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(broken))
		if err != nil || schema.Validate(document) == nil {
			t.Errorf("accepted %s", broken)
		}
	}
}

func compile(t *testing.T, file string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile(file)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
