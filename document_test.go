package unpark_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// Lists below a pointer that may be left out are lists as well once it is there.
func TestDocumentFillsListsBehindPointers(t *testing.T) {
	run := unpark.Run{Windows: []unpark.Window{{Tracing: &unpark.Tracing{}}}}
	text, err := json.Marshal(unpark.Document(run))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"excess":[]`, `"edges":[]`, `"states":[]`, `"profiles":[]`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	for _, never := range []string{`"timeline"`, `"before_s"`, `"blocking"`} {
		if strings.Contains(string(text), never) {
			t.Errorf("%s is written although it holds nothing: %s", never, text)
		}
	}
	if run.Windows[0].Tracing.Edges != nil {
		t.Error("the run itself was changed")
	}
}
