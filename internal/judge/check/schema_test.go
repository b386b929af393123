package check_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/check"
	"github.com/unpark-go/unpark/internal/strict/schematest"
)

// TestSchemaAgrees: what editors accept by docs/budget.schema.json is what Read
// accepts, and what is in the documents is both.
func TestSchemaAgrees(t *testing.T) {
	schema := schematest.Compile(t, "../../../docs/budget.schema.json", func(text []byte) error {
		_, err := check.Read("b", text)
		return err
	})
	for _, c := range []struct {
		text string
		want bool
	}{
		{"p99: < 50ms", true},
		{"p99: [< 50ms, <= +10%]", true},
		{"p99: < 50", false},
		{"p99: '> 50ms'", false},
		{"p95: <= +5%", false},
		{"p999: at most 1.5 s", true},
		{"throughput: '>= -5%'", true},
		{"throughput: at least 4 k req/s", true},
		{"throughput: < 5 req/s", false},
		{"throughput: at least 4ms", false},
		{"cpu_per_request: ≤ +5 %", true},
		{"cpu_per_request: < 2ms/req", true},
		{"cpu_per_request: < 2kB", false},
		{"bytes_per_request: below 64 KiB", true},
		{"bytes_per_request: < 64", false},
		{"mean_waiters: < 2", true},
		{"mean_waiters: < 2ms", false},
		{"errors: < 0.1%", true},
		{"errors: <= +0.1%", true},
		{"errors: < 0.1", false},
		{"waiters: {a.b: < 2, '*': <= −5%}", true},
		{"waiters: < 2", false},
		{"waiters: {'': < 2}", false},
		{"no_findings: any", true},
		{"no_findings: [lock, leak]", true},
		{"no_findings: [any, lock]", false},
		{"no_new_findings: locks", false},
		{"no_findings: []", false},
		{"p9: < 5ms", false},
		{"{}", false},
		{"[]", false},
		{"p99: []", false},
	} {
		schema.Agree(t, c.text, c.want)
	}
	page, err := os.ReadFile("../../../docs/check.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range unpark.Classes() {
		schema.Agree(t, "no_findings: "+string(c), true)
		if !strings.Contains(string(page), "`"+string(c)+"`") {
			t.Errorf("docs/check.md does not list the class %s", c)
		}
	}
	for _, file := range []string{"testdata/budget.yaml", "../../../docs/check.md", "../../../docs/ci.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		blocks := [][]string{{"", string(text)}}
		if file != "testdata/budget.yaml" {
			blocks = regexp.MustCompile("(?s)```yaml\n# unpark.budget.yaml\n(.*?)```").FindAllStringSubmatch(string(text), -1)
		}
		if len(blocks) == 0 {
			t.Errorf("%s: no budget in it", file)
		}
		for _, b := range blocks {
			schema.Agree(t, b[1], true)
		}
	}
}
