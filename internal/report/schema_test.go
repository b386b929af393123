package report

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/unpark-go/unpark"
)

const schemaBase = "https://github.com/unpark-go/unpark/docs/"

// schemas reads the schema files as plain JSON, by file name.
func schemas(t *testing.T) map[string]map[string]any {
	t.Helper()
	out := map[string]map[string]any{}
	for _, name := range []string{"run.schema.json", "ab.schema.json", "bench.schema.json", "bisect.schema.json", "proof.schema.json", "load.schema.json"} {
		text, err := os.ReadFile("../../docs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		var s map[string]any
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = s
	}
	return out
}

func compile(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	for file, s := range schemas(t) {
		if err := c.AddResource(schemaBase+file, s); err != nil {
			t.Fatal(err)
		}
	}
	s, err := c.Compile(schemaBase + name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parse(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestExamplesFitTheSchema(t *testing.T) {
	schema := compile(t, "run.schema.json")
	for name, r := range examples() {
		if name == "hostile" || name == "nothing" { // not what the stages make: free text in enumerations
			continue
		}
		text := render(t, JSON, r)
		if err := schema.Validate(parse(t, text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var back unpark.Run
		if err := json.Unmarshal([]byte(text), &back); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if again := render(t, JSON, back); again != text {
			t.Errorf("%s: what was read and written again differs", name)
		}
	}
	text := render(t, JSON, lockAtTheKnee())
	golden(t, "lock.json", []byte(text))
}

func TestComparisonFitsTheSchema(t *testing.T) {
	schema := compile(t, "ab.schema.json")
	for name, c := range comparisons() {
		err := schema.Validate(parse(t, render(t, JSON, c)))
		if hostile := name == "hostile" || name == "nothing"; !hostile && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, broken := range []string{
		`{}`, `{"schema":"unpark.run/v1","rounds":1,"effects":[],"findings":[],"forecasts":[],"warnings":[]}`,
		`{"schema":"unpark.ab/v1","rounds":1,"effects":[{"metric":"p99"}],"findings":[],"forecasts":[],"warnings":[]}`,
		`{"schema":"unpark.ab/v1","rounds":1,"effects":[],"findings":[{"change":"gone"}],"forecasts":[],"warnings":[]}`,
	} {
		if schema.Validate(parse(t, broken)) == nil {
			t.Errorf("accepted %s", broken)
		}
	}
}

func TestSchemaRejects(t *testing.T) {
	schema := compile(t, "run.schema.json")
	for name, breakIt := range map[string]func(d map[string]any){
		"another version":    func(d map[string]any) { d["schema"] = "unpark.run/v2" },
		"no limit":           func(d map[string]any) { delete(d, "limit") },
		"a misspelled limit": func(d map[string]any) { d["limit"].(map[string]any)["kind"] = "locks" },
		"null for a list":    func(d map[string]any) { d["void"] = nil },
		"a figure as text":   func(d map[string]any) { window0(d)["observer"].(map[string]any)["cpu_s"] = "1" },
		"a time as number":   func(d map[string]any) { d["started"] = json.Number("17") },
		"no time":            func(d map[string]any) { d["started"] = "yesterday" },
		"a bare value":       func(d map[string]any) { d["limit"].(map[string]any)["ceiling"] = json.Number("3") },
		"a class unheard of": func(d map[string]any) { finding0(d)["class"] = "magic" },
		"a site without line": func(d map[string]any) {
			delete(finding0(d)["site"].(map[string]any), "line")
		},
		"negative requests": func(d map[string]any) { window0(d)["load"].(map[string]any)["requests"] = json.Number("-1") },
		"a kind unheard of": func(d map[string]any) {
			window0(d)["profiles"].([]any)[0].(map[string]any)["kind"] = "gpu"
		},
		"no processes": func(d map[string]any) { delete(window0(d), "processes") },
	} {
		d := parse(t, render(t, JSON, lockAtTheKnee())).(map[string]any)
		breakIt(d)
		if schema.Validate(d) == nil {
			t.Errorf("accepted: %s", name)
		}
	}
}

func window0(d map[string]any) map[string]any  { return d["windows"].([]any)[0].(map[string]any) }
func finding0(d map[string]any) map[string]any { return d["findings"].([]any)[0].(map[string]any) }

// TestSchemaCoversTheTypes walks types and schema side by side: every key of a
// type is described, every key that is described exists, and exactly the keys
// that are always written are required.
func TestSchemaCoversTheTypes(t *testing.T) {
	all := schemas(t)
	w := walker{t: t, all: all, seen: map[reflect.Type]bool{}}
	w.walk("run", "run.schema.json", all["run.schema.json"], reflect.TypeFor[unpark.Run]())
	w.walk("ab", "ab.schema.json", all["ab.schema.json"], reflect.TypeFor[unpark.Comparison]())
	w.walk("bench", "bench.schema.json", all["bench.schema.json"], reflect.TypeFor[unpark.Benchmarks]())
	w.walk("bisect", "bisect.schema.json", all["bisect.schema.json"], reflect.TypeFor[unpark.Bisection]())
	if len(w.seen) < 25 {
		t.Errorf("only %d types were seen", len(w.seen))
	}
}

type walker struct {
	t    *testing.T
	all  map[string]map[string]any
	seen map[reflect.Type]bool
}

// resolve follows $ref, and the first branch of anyOf, to a schema and its file.
func (w walker) resolve(file string, s map[string]any) (string, map[string]any) {
	if ref, ok := s["$ref"].(string); ok {
		name, pointer, _ := strings.Cut(ref, "#/$defs/")
		if name != "" {
			file = name
		}
		def, ok := w.all[file]["$defs"].(map[string]any)[pointer].(map[string]any)
		if !ok {
			w.t.Fatalf("%s: no %s", file, ref)
		}
		return w.resolve(file, def)
	}
	if branches, ok := s["anyOf"].([]any); ok {
		return w.resolve(file, branches[0].(map[string]any))
	}
	return file, s
}

func (w walker) walk(path, file string, s map[string]any, typ reflect.Type) {
	file, s = w.resolve(file, s)
	switch {
	case typ == reflect.TypeFor[unpark.Number](), typ == reflect.TypeFor[time.Time]():
		return
	case typ.Kind() == reflect.Pointer:
		w.walk(path, file, s, typ.Elem())
	case typ.Kind() == reflect.Slice:
		items, ok := s["items"].(map[string]any)
		if !ok {
			w.t.Fatalf("%s: no items", path)
		}
		w.walk(path+"[]", file, items, typ.Elem())
	case typ.Kind() == reflect.Struct && !w.seen[typ]:
		w.seen[typ] = true
		w.object(path, file, s, typ)
	}
}

func (w walker) object(path, file string, s map[string]any, typ reflect.Type) {
	properties, _ := s["properties"].(map[string]any)
	required := map[string]bool{}
	for _, k := range s["required"].([]any) {
		required[k.(string)] = true
	}
	known := map[string]bool{}
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Anonymous {
			w.walk(path, file, s["allOf"].([]any)[0].(map[string]any), f.Type)
			continue
		}
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == "-" {
			continue
		}
		known[key] = true
		p, ok := properties[key].(map[string]any)
		if !ok {
			w.t.Errorf("%s.%s is not in the schema", path, key)
			continue
		}
		if always := !strings.Contains(options, "omit"); always != required[key] {
			w.t.Errorf("%s.%s: always written is %v, required is %v", path, key, always, required[key])
		}
		w.walk(path+"."+key, file, p, f.Type)
	}
	for key := range properties {
		if !known[key] {
			w.t.Errorf("%s.%s is in the schema and not in the type", path, key)
		}
	}
}
