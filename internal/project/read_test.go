package project_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/project"
)

const whole = `# all keys
package: ./cmd/server
args: [-addr, 127.0.0.1:8080, -n, 4]
environment:
  LOG_LEVEL: warn
  TOKEN: ${TOKEN}
pprof: [http://127.0.0.1:6060]
urls:
  - 9*http://127.0.0.1:8080/read
  - POST http://127.0.0.1:8080/items/{{counter}}
  - url: http://127.0.0.1:8080/items
    weight: 2.5
    method: PUT
    body: '{"n": 1}'
    expect: [200, 404]
headers:
  Authorization: Bearer ${TOKEN}
  Accept: [a, b]
rate: poisson:100/s
connections: 64
duration: 10s
warmup: 500ms
cpus: 1.5
own: [github.com/acme/...]
budget:
  p99: < 50ms      # in time
  errors: < 1%
baseline:
  revision: main
  runs: [unpark-runs/a]
`

func TestRead(t *testing.T) {
	f, err := project.Read("x/unpark.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if f.Package.Value != "./cmd/server" || len(f.Args) != 4 || f.Args[3].Value != "4" || len(f.Environment) != 2 || len(f.Headers) != 3 {
		t.Errorf("%+v", f)
	}
	u := f.URLs
	if len(u) != 3 || u[0].Weight != 9 || u[0].Address.Value != "http://127.0.0.1:8080/read" || u[1].Method != "POST" || u[2].Weight != 2.5 || u[2].Expect[1] != 404 {
		t.Errorf("urls: %+v", u)
	}
	if f.Rate.Value != "poisson:100/s" || f.Connections != 64 || f.Duration.Time.Seconds() != 10 || f.Warmup.Time.Seconds() != 0.5 || f.CPUs != 1.5 {
		t.Errorf("load: %+v", f)
	}
	if f.Own[0].Value != "github.com/acme/..." || f.Baseline.Revision.Value != "main" || f.Path(f.Baseline.Runs[0]) != filepath.FromSlash("x/unpark-runs/a") {
		t.Errorf("baseline: %+v", f)
	}
}

// TestInlineBudget: what is cut out of the file stands where it stood.
func TestInlineBudget(t *testing.T) {
	lines := strings.Split(whole, "\n")
	for name, c := range map[string]struct{ text, want string }{
		"a block": {whole, strings.Repeat("\n", 25) + strings.Join(lines[25:27], "\n") + "\n"},
		"a line":  {"rate: 5/s\nbudget: {p99: < 5ms} # é\nown: []\n", "\n        {p99: < 5ms} # é\n"},
		"a tail":  {"budget:\n\n# in time\n    p99: < 5ms", "\n\n\n    p99: < 5ms"},
	} {
		f, err := project.Read("f", []byte(c.text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := string(f.Budget.Inline); got != c.want {
			t.Errorf("%s:\n%q, want\n%q", name, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"pakage: x":                          `f:1:1: unknown key "pakage": did you mean "package"?`,
		"zzz: x":                             `f:1:1: unknown key "zzz": the keys are package, command`,
		"package: [a]":                       "f:1:10: package takes one value: write package: ./cmd/server",
		"\nargs: -addr :8080\npackage: .":    "f:2:7: args is a list: write args: [-addr, :8080]",
		"args: [a]":                          "f:1:8: args of what? Name the package",
		"command: [a]\nargs: [b]":            "f:2:8: args are those of a package",
		"package: .\ncommand: [a]":           "f:2:11: command: package, on line 1, starts the service already",
		"package: a\npackage: b":             "f:2:1: package is there already, on line 1",
		"package: .\nargs: [-t, '${TOKEN}']": "f:2:12: args: ${TOKEN} is not put in here, because args are written into run documents: pass it in environment",
		"args: [-c, FILL-IN]":                "f:1:12: args: FILL-IN stands for a value that `unpark init` could not know",
		"environment: {9A: b}":               `f:1:15: environment: "9A" can be no name`,
		"environment: [a]":                   "f:1:14: environment is a list of lines KEY: VALUE, such as LOG_LEVEL: warn",
		"environment: {A: '${B-C}'}":         "f:1:18: environment: ${B-C} refers to no variable",
		"headers: {'a b': c}":                `f:1:11: headers: "a b" can be no header name`,
		"urls: http://h/":                    "f:1:7: urls is a list",
		"urls: [host/path]":                  `f:1:8: urls: "host/path" is no address: write http://127.0.0.1:8080/path`,
		"urls: ['0*/a']":                     `f:1:8: urls: the weight "0" is no number above 0`,
		"urls: ['http://u:p@h/']":            "f:1:8: urls: a user or password in the URL of h would be written into run documents",
		"urls: ['/a?t=${T}']":                "urls: ${T} is not put in here",
		"urls: [/a, http://h/b]":             "f:1:12: urls: \"/a\" and \"http://h/b\": give all of them a host, or none",
		"urls: [{path: /a}]":                 `f:1:9: unknown key "path" in an entry of urls`,
		"urls: [{url: /a, method: GTE}]":     `f:1:26: method: "GTE" is no method: did you mean "GET"`,
		"urls: [{url: /a, expect: 20}]":      `expect: "20" is no HTTP status`,
		"rate: 500":                          `f:1:7: rate "500": the unit is missing`,
		"connections: many":                  `f:1:14: connections: "many" is no whole number from 1 on`,
		"duration: 1500ms":                   "f:1:11: duration: 1500ms: a CPU profile lasts whole seconds: write 2s",
		"warmup: 5":                          `f:1:9: warmup: "5" is no time: write it with its unit, such as 15s`,
		"cpus: .nan":                         `f:1:7: cpus: ".nan" is no number of cores`,
		"own: [./...]":                       `f:1:7: own: "./..." is no pattern of import paths`,
		"own: [a/*/b]":                       `f:1:7: own: "a/*/b" is no pattern of import paths`,
		"budget: {}":                         "f:1:9: budget bounds nothing",
		"baseline: main":                     "f:1:11: baseline has two parts: write baseline: {revision: main}",
		"baseline: {rev: main}":              `f:1:12: baseline: unknown key "rev"`,
		"package: &a x\ncommand: [*a]":       "f:2:11: command: *a: references are not read",
		"a: b: c":                            "f:1: no YAML: mapping values",
		"- a":                                "f:1:1: a project file is a list of lines KEY: VALUE",
		"package: a\n---\npackage: b":        "a second document in one file",
		"rate: 1\nconnections: x":            "f:2:14: connections", // all of them at once
	} {
		if _, err := project.Read("f", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
	for _, text := range []string{"", "# nothing\n", "package:\nurls:\n", "environment: {A: ''}", "package: .\nargs: ['']"} {
		if _, err := project.Read("f", []byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestExpand(t *testing.T) {
	environ := map[string]string{"A": "1", "EMPTY": ""}
	lookup := func(name string) (string, bool) { v, ok := environ[name]; return v, ok }
	f := &project.File{Name: "f"}
	for text, want := range map[string]string{"x": "x", "${A}/${A}": "1/1", "${EMPTY}": "", "$${A} $A": "${A} $A"} {
		if got, err := f.Expand(project.Text{Value: text, Line: 3, Column: 2}, lookup); got != want || err != nil {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
	_, err := f.Expand(project.Text{Value: "${A}${B}", Line: 3, Column: 2}, lookup)
	if err == nil || !strings.HasPrefix(err.Error(), "f:3:2: ${B}: the environment has no B: export it") {
		t.Errorf("%v", err)
	}
}

func TestFind(t *testing.T) {
	root := t.TempDir()
	write := func(name string) {
		t.Helper()
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{
		"unpark.yaml", // beyond every root
		"w/go.work", "w/unpark.yaml", "w/m/go.mod", "w/m/a/b/x.go", "w/n/go.mod", "w/n/unpark.yaml", "w/n/a/x.go",
		"m/go.mod", "m/a/x.go", "none/x.go",
	} {
		write(name)
	}
	for from, want := range map[string]string{
		".": "unpark.yaml", "w": "w/unpark.yaml", "w/m/a/b": "w/unpark.yaml", "w/n/a": "w/n/unpark.yaml", "m/a": "", "none": "",
	} {
		got, err := project.Find(filepath.Join(root, filepath.FromSlash(from)))
		if want != "" {
			want = filepath.Join(root, filepath.FromSlash(want))
		}
		if got != want || err != nil {
			t.Errorf("from %s: %q, %v; want %q", from, got, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{whole, "budget:\n  p99: < 5ms\n", "budget: {a: b,\n}\n", "é: {a: b}", "urls: [{url: /a}]", "? a\n: b\n", "\r\r\rbudget: {a: b}", "#\u2028\u2028budget:\n a: b"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := project.Read("f", data)
		if (p == nil) == (err == nil) {
			t.Fatalf("%v, %v", p, err)
		}
	})
}
