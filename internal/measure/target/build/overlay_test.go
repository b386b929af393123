package build

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestOverlayFlag(t *testing.T) {
	for flags, want := range map[string]string{
		"":                                 "",
		"-mod=mod -overlay=a.json":         "a.json",
		"--overlay=a.json -v":              "a.json",
		"-overlay=a -overlay=b":            "b",
		"'-overlay=with space.json' -race": "with space.json",
		"\"-overlay=it's\"\t-tags=x":       "it's",
		"-overlayed=a -tags=overlay":       "",
		"-overlay=a=b":                     "a=b",
		"'-overlay=never ended":            "never ended",
	} {
		if got := overlayFlag(flags); got != want {
			t.Errorf("%q: %q, want %q", flags, got, want)
		}
	}
}

func TestParseOverlay(t *testing.T) {
	got, err := parseOverlay([]byte(`{"Replace":{"a.go":"gen/../b.go","/x/c.go":"/y/c.go","gone.go":""}}`), "/src")
	want := map[string]string{"/src/a.go": "/src/b.go", "/x/c.go": "/y/c.go", "/src/gone.go": ""}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := parseOverlay([]byte("{"), "/src"); err == nil {
		t.Error("no JSON, and no error")
	}
}

// The user's own overlay is seen beside the probe, and by what is read to be replaced.
func TestBuildKeepsOwnOverlay(t *testing.T) {
	dir := module(t, "plain")
	server := filepath.Join(dir, "cmd", "server", "main.go")
	text, err := os.ReadFile(server)
	if err != nil {
		t.Fatal(err)
	}
	theirs, overlay := filepath.Join(dir, "theirs.txt"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(theirs, []byte(strings.Replace(string(text), "lib.Greeting", `"theirs"+lib.Greeting[:0]`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{"main.go": "../../theirs.txt"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(overlay, list, 0o600); err != nil {
		t.Fatal(err)
	}
	b := Spec{Package: "./cmd/server", Dir: dir, Output: filepath.Join(t.TempDir(), "out"), Env: []string{"GOFLAGS=-overlay=" + overlay}}
	if err := program(t.Context(), b, sayHello()); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(b.Output, "x").Output(); err != nil || strings.TrimSpace(string(out)) != "probe\ntheirs" {
		t.Errorf("it prints %q, %v", out, err)
	}
	sources, err := ListSources(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := sources.Find(server); err != nil || !strings.Contains(string(s.Text), `"theirs"`) || s.Path != server {
		t.Errorf("the source that is replaced: %s, %v", s.Path, err)
	}
	b.Env = []string{"GOFLAGS=-overlay=" + filepath.Join(dir, "missing.json")}
	if err := program(t.Context(), b, sayHello()); err == nil || !strings.Contains(err.Error(), "missing.json") {
		t.Errorf("without the file: %v", err)
	}
}

func TestBuildTags(t *testing.T) {
	dir := module(t, "plain")
	text := "//go:build special\n\npackage main\n\nfunc init() { println(\"special\") }\n"
	if err := os.WriteFile(filepath.Join(dir, "cmd", "server", "special.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b := Spec{Package: "./cmd/server", Dir: dir, Output: filepath.Join(t.TempDir(), "out"), Tags: "other,special"}
	if err := program(t.Context(), b, sayHello()); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(b.Output, "x").CombinedOutput(); err != nil || !strings.Contains(string(out), "special") {
		t.Errorf("it prints %q, %v", out, err)
	}
	sources, err := ListSources(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sources.Find(filepath.Join(dir, "cmd", "server", "special.go")); err != nil {
		t.Error(err)
	}
}

func FuzzOverlay(f *testing.F) {
	f.Add("'-overlay=a b' -v", `{"Replace":{"a":"b","c":""}}`)
	f.Add("-overlay=\"", `{"Replace":null}`)
	f.Fuzz(func(t *testing.T, flags, text string) {
		if name := overlayFlag(flags); len(name) > len(flags) {
			t.Errorf("%q in %q", name, flags)
		}
		own, err := parseOverlay([]byte(text), "/src")
		if err != nil {
			return
		}
		for from, to := range own {
			if !filepath.IsAbs(from) || to != "" && !filepath.IsAbs(to) {
				t.Errorf("%q: %q", from, to)
			}
		}
	})
}
