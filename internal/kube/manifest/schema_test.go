package manifest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The schemas are those that Kubernetes publishes, of the kinds that are used and what they refer to,
// without descriptions: of the module k8s.io/kubernetes, the folder api/openapi-spec/v3.
// To take in another version:
//
//	go test ./internal/kube/manifest -run TestSchema -openapi $(go mod download -json k8s.io/kubernetes@v1.37.2 | jq -r .Dir)/api/openapi-spec/v3
var openapi = flag.String("openapi", "", "folder of published schemas, from which testdata/openapi.json is made")

const schemas = "testdata/openapi.json"

// used are the kinds, and the file that has each.
func used() map[string]string {
	return map[string]string{
		"io.k8s.api.batch.v1.Job":                "apis__batch__v1_openapi.json",
		"io.k8s.api.core.v1.Secret":              "api__v1_openapi.json",
		"io.k8s.api.core.v1.Service":             "api__v1_openapi.json",
		"io.k8s.api.core.v1.ServiceAccount":      "api__v1_openapi.json",
		"io.k8s.api.core.v1.EphemeralContainer":  "api__v1_openapi.json",
		"io.k8s.api.networking.v1.NetworkPolicy": "apis__networking.k8s.io__v1_openapi.json",
	}
}

const components = "#/components/schemas/"

// TestSchema holds every object against the published schema of its kind, in which no word
// is allowed that it does not know.
func TestSchema(t *testing.T) {
	if *openapi != "" {
		gather(t, *openapi)
	}
	c := compiler(t)
	for name, r := range runs() {
		for _, o := range append([]Object{Coordinator(r)}, Others(r, "f1e2")...) {
			text, err := json.Marshal(o)
			check(t, err)
			if err := c.validate(schemaOf(o), text); err != nil {
				t.Errorf("%s: %s: %v", name, o.Name(), err)
			}
		}
		part, err := Attach(r)
		check(t, err)
		whole := append([]byte(`{"name":"a","image":"i",`), part[1:]...)
		if err := c.validate("io.k8s.api.core.v1.EphemeralContainer", whole); err != nil {
			t.Errorf("%s: the container that attaches: %v", name, err)
		}
	}
}

// TestSchemaRefuses: the check would find what it is there for.
func TestSchemaRefuses(t *testing.T) {
	c := compiler(t)
	for what, change := range map[string][2]string{
		"a field that is not known":   {`"backoffLimit":0`, `"backofLimit":0`},
		"a text for a number":         {`"completions":1`, `"completions":"1"`},
		"a required field is missing": {`"template":`, `"templates":`},
		"a field in a pod":            {`"readOnlyRootFilesystem"`, `"readonlyRootFilesystem"`},
		"a port without its number":   {`"containerPort":`, `"containerport":`},
	} {
		text, err := json.Marshal(Coordinator(runs()["usual"]))
		check(t, err)
		broken := strings.Replace(string(text), change[0], change[1], 1)
		if broken == string(text) {
			t.Fatalf("%s: nothing was changed", what)
		}
		if c.validate("io.k8s.api.batch.v1.Job", []byte(broken)) == nil {
			t.Errorf("%s is not found", what)
		}
	}
}

func schemaOf(o Object) string {
	group := map[string]string{"v1": "core.v1", "batch/v1": "batch.v1", "networking.k8s.io/v1": "networking.v1"}[o.APIVersion]
	return "io.k8s.api." + group + "." + o.Kind
}

type compiled struct{ *jsonschema.Compiler }

func (c compiled) validate(name string, text []byte) error {
	s, err := c.Compile("openapi.json" + components + name)
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

func compiler(t *testing.T) compiled {
	t.Helper()
	text, err := os.ReadFile(schemas)
	check(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	check(t, err)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft4) // what OpenAPI 3.0 has its words from
	check(t, c.AddResource("openapi.json", doc))
	return compiled{c}
}

// gather collects the schemas and what they refer to. Where one lists its properties no others are
// allowed: the server is as strict when it is asked to be (--validate=strict).
func gather(t *testing.T, dir string) {
	t.Helper()
	out := map[string]any{}
	for name, file := range used() {
		text, err := os.ReadFile(filepath.Join(dir, file))
		check(t, err)
		var doc struct {
			Components struct{ Schemas map[string]any }
		}
		check(t, json.Unmarshal(text, &doc))
		follow(doc.Components.Schemas, name, out)
	}
	text, err := json.Marshal(map[string]any{"components": map[string]any{"schemas": out}})
	check(t, err)
	check(t, os.WriteFile(schemas, append(text, '\n'), 0o644))
}

func follow(all map[string]any, name string, out map[string]any) {
	if _, ok := out[name]; ok || all[name] == nil {
		return
	}
	out[name] = nil
	out[name] = strict(all[name], func(ref string) { follow(all, strings.TrimPrefix(ref, components), out) })
}

func strict(v any, refer func(string)) any {
	switch v := v.(type) {
	case map[string]any:
		kept := map[string]any{}
		for k, child := range v {
			if text, ok := child.(string); ok && k == "$ref" {
				refer(text)
			}
			if k == "description" || k == "default" || strings.HasPrefix(k, "x-kubernetes") {
				if _, isText := child.(string); isText || k != "description" && k != "default" {
					continue
				}
				if _, isSchema := child.(map[string]any); k == "default" && (!isSchema || len(child.(map[string]any)) == 0) {
					continue
				}
			}
			kept[k] = strict(child, refer)
		}
		if _, ok := v["properties"].(map[string]any); ok && v["additionalProperties"] == nil {
			kept["additionalProperties"] = false
		}
		return kept
	case []any:
		var kept []any
		for _, child := range v {
			kept = append(kept, strict(child, refer))
		}
		return kept
	}
	return v
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func runs() map[string]Run {
	usual := Run{
		ID: "k7k4kk47", Namespace: "shop", Image: "r.example/unpark:1", Agents: 4,
		Target:      Selector{MatchLabels: map[string]string{"app": "checkout"}},
		Coordinator: []string{"kube", "pod", "--orders", "/etc/unpark/orders.json"},
		Agent:       []string{"agent", "--join=$(UNPARK_NATS)"},
		Secret:      map[string]string{CredentialKey: "not a secret: an example", "orders.json": "{}"},
		TTL:         30 * time.Minute, AgentCPU: "2", AgentMemory: "512Mi",
	}
	elsewhere := usual
	elsewhere.NATS, elsewhere.NATSPort, elsewhere.ShareNodes, elsewhere.Attaches = "nats://nats.infra:4333", 4333, true, true
	elsewhere.Target = Selector{MatchExpressions: []Expression{{"app", "In", []string{"a", "b"}}, {Key: "canary", Operator: "DoesNotExist"}}}
	elsewhere.TargetHosts = []string{"10.0.0.5", "fd00::5"}
	elsewhere.PullSecrets, elsewhere.NodeSelector = []string{"registry"}, map[string]string{"pool": "load"}
	return map[string]Run{"usual": usual, "elsewhere": elsewhere}
}
