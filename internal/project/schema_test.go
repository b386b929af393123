package project_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/unpark-go/unpark/internal/project"
	"github.com/unpark-go/unpark/internal/strict/schematest"
)

// TestSchemaAgrees: what editors accept by docs/project.schema.json is what Read
// accepts, and the examples in the documents are both.
func TestSchemaAgrees(t *testing.T) {
	schema := schematest.Compile(t, "../../docs/project.schema.json", func(text []byte) error {
		_, err := project.Read("f", text)
		return err
	})
	for _, c := range []struct {
		text string
		want bool
	}{
		{whole, true},
		{"package: ./cmd/server", true},
		{"package:", true},
		{"package: [a]", false},
		{"pakage: x", false},
		{"package: .\nargs: [-n, 4, true]", true},
		{"args: a", false},
		{"package: .\nargs: [FILL-IN]", false},
		{"package: .\nargs: ['${A}']", false},
		{"test: [go, test, ./internal/...]", true},
		{"test: go test", false},
		{"environment: {A: 1, B: '${C}'}", true},
		{"environment: {9: 1}", false},
		{"headers: {a b: c}", false},
		{"urls: [/a, '9*/b', POST /c]", true},
		{"urls: ['unix:///run/a.sock:/b']", true},
		{"urls: ['unix:///run/a.sock']", false},
		{"urls: [a]", false},
		{"urls: [{url: /a, expect: 200}]", true},
		{"urls: [{url: /a, expect: 2000}]", false},
		{"urls: [{path: /a}]", false},
		{"urls: [{url: /a, method: get}]", false},
		{"rate: 500/s", true},
		{"rate: 500", false},
		{"rate: ramp:10..100/3m", true},
		{"connections: 0", false},
		{"cpus: 0.5", true},
		{"cpus: 0", false},
		{"duration: 10s", true},
		{"duration: 10", false},
		{"budget: unpark.budget.yaml", true},
		{"budget: {}", false},
		{"baseline: {revision: main, runs: [a]}", true},
		{"baseline: main", false},
		{"baseline: {rev: main}", false},
	} {
		schema.Agree(t, c.text, c.want)
	}
	doc, err := os.ReadFile("../../docs/first-hour.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```yaml\n# unpark.yaml\n(.*?)```").FindAllStringSubmatch(string(doc), -1)
	if len(blocks) == 0 {
		t.Error("docs/first-hour.md shows no unpark.yaml")
	}
	for _, b := range blocks {
		schema.Agree(t, b[1], true)
	}
}
