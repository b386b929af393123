package compare_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
)

const schemaBase = "https://github.com/unpark-go/unpark/docs/"

// TestDocuments: what Rounds and Runs return is as docs/ab.schema.json says, also
// without windows, rounds or anything else.
func TestDocuments(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	for _, name := range []string{"ab.schema.json", "run.schema.json"} {
		text, err := os.Open("../../../docs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		schema, err := jsonschema.UnmarshalJSON(text)
		text.Close()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := compiler.AddResource(schemaBase+name, schema); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := compiler.Compile(schemaBase + "ab.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(6, 6))
	lock := promising(finding("lock", "a.Get", 10, 0.08), ratio(1.5, 1.3, 1.7), ratio(0.1, 0.05, 0.2))
	lock.Confidence = unpark.High
	before, after := closed(unpark.LimitLock, 1, lock), closed("", 1.5)
	documents := map[string]unpark.Comparison{
		"rounds":         compare.Rounds(noisy(random, 14, 0.02, compare.Sample{"throughput": 1.5}), noisy(random, 3, 0.02, nil), before, after, compare.Options{}),
		"four rounds":    compare.Rounds(noisy(random, 4, 0.02, nil), nil, before, before, compare.Options{}),
		"nothing":        compare.Rounds(nil, nil, unpark.Run{}, unpark.Run{}, compare.Options{}),
		"unusable":       compare.Rounds([]compare.Pair{{}, {Before: compare.Sample{"p99": 0}, After: compare.Sample{"p99": 1}}}, nil, unpark.Run{}, unpark.Run{}, compare.Options{}),
		"single runs":    compare.Runs(before, after),
		"refused":        compare.Runs(before, unpark.Run{}),
		"rounds, no end": compare.Rounds(noisy(random, 9, 3, nil), noisy(random, 1, 3, nil), before, after, compare.Options{Alpha: 1e-9}),
	}
	for _, class := range unpark.Classes() {
		f := finding(string(class), "a.Get", 10, 0.08)
		f.Confidence = unpark.High
		c := compare.Rounds(nil, nil, closed(unpark.LimitLock, 1, f), after, compare.Options{})
		if strings.Contains(c.Why, "the finding") {
			t.Errorf("class %s has no noun in classes.go: %q", class, c.Why)
		}
		documents["a finding of class "+string(class)] = c
	}
	for name, c := range documents {
		text, err := json.Marshal(unpark.Document(c))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(document); err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
		var back unpark.Comparison
		if err := json.Unmarshal(text, &back); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
