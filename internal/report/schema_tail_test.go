package report

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestTracingInTheDocument(t *testing.T) {
	var d struct {
		Windows []struct {
			Tracing json.RawMessage `json:"tracing"`
		} `json:"windows"`
	}
	if err := json.Unmarshal([]byte(render(t, JSON, traced(lockAtTheKnee(), tailChain()))), &d); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, d.Windows[0].Tracing, "", "  "); err != nil {
		t.Fatal(err)
	}
	golden(t, "tracing.json", append(b.Bytes(), '\n'))
}

func TestTracingSchemaRejects(t *testing.T) {
	schema := compile(t, "run.schema.json")
	of := func(x map[string]any, list string) map[string]any { return x[list].([]any)[0].(map[string]any) }
	for name, breakIt := range map[string]func(x map[string]any){
		"":                    func(map[string]any) {},
		"no cohort":           func(x map[string]any) { delete(x, "tail") },
		"null for edges":      func(x map[string]any) { x["edges"] = nil },
		"a state unheard of":  func(x map[string]any) { of(x, "states")["class"] = "waiting" },
		"a bare excess":       func(x map[string]any) { of(x, "excess")["more"] = json.Number("3") },
		"no waiter":           func(x map[string]any) { delete(of(x, "edges"), "waiter") },
		"a negative delay":    func(x map[string]any) { of(x, "edges")["delay_s"] = json.Number("-1") },
		"held without share":  func(x map[string]any) { delete(of(of(x, "edges"), "held"), "share") },
		"a quantile of 99":    func(x map[string]any) { x["tail"].(map[string]any)["from"] = json.Number("99") },
		"half a request":      func(x map[string]any) { x["requests"] = json.Number("0.5") },
		"a stack of strings":  func(x map[string]any) { of(x, "excess")["stack"] = []any{"main.f"} },
		"inferred as a word":  func(x map[string]any) { x["inferred"] = "yes" },
		"a share as a text":   func(x map[string]any) { of(x, "edges")["share"] = "82 %" },
		"explained left away": func(x map[string]any) { delete(x, "explained_share") },
	} {
		d := parse(t, render(t, JSON, traced(lockAtTheKnee(), tailChain()))).(map[string]any)
		breakIt(window0(d)["tracing"].(map[string]any))
		if got := schema.Validate(d); (got == nil) != (name == "") {
			t.Errorf("%q: %v", name, got)
		}
	}
}
