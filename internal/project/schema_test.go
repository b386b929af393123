package project_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/unpark-go/unpark/internal/project"
)

// TestSchemaAgrees: what editors accept by docs/project.schema.json is what Read
// accepts, and the examples in the documents are both.
func TestSchemaAgrees(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.FromSlash("../../docs/project.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	accepted := func(text string) bool {
		var v any
		if yaml.Unmarshal([]byte(text), &v) != nil {
			return false
		}
		plain, err := json.Marshal(v)
		if err != nil {
			return false
		}
		var document any
		if err := json.Unmarshal(plain, &document); err != nil {
			t.Fatal(err)
		}
		return schema.Validate(document) == nil
	}
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
		_, err := project.Read("f", []byte(c.text))
		if (err == nil) != c.want || accepted(c.text) != c.want {
			t.Errorf("%s: read %v, the schema accepts it: %v, want %v", c.text, err, accepted(c.text), c.want)
		}
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
		if _, err := project.Read("docs", []byte(b[1])); err != nil || !accepted(b[1]) {
			t.Errorf("%v, the schema accepts it: %v\n%s", err, accepted(b[1]), b[1])
		}
	}
}
