package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// repository returns a git repository with the three modules in small.
func repository(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"git", "go"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("no " + name)
		}
	}
	// Nothing of the user's settings, such as signing, changes what is tested.
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+who+"_NAME", "unpark")
		t.Setenv("GIT_"+who+"_EMAIL", "unpark@example.com")
	}
	t.Setenv("GOPROXY", "off")
	archive, err := txtar.ParseFile("testdata/repo.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "repo")
	if err := txtar.Write(archive, dir); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "--quiet", "--initial-branch=main"}, {"add", "."}, {"commit", "--quiet", "--message=first"}} {
		if _, err := git(dir, args...); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func command(t *testing.T, want string, args ...string) {
	t.Helper()
	var out bytes.Buffer
	err := run(args, &out)
	switch {
	case want == "" && err != nil:
		t.Fatalf("release %q: %v\n%s", args, err, out.Bytes())
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Fatalf("release %q: error %v, want %q", args, err, want)
	}
}

func read(t *testing.T, name ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(name...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const host = runtime.GOOS + "/" + runtime.GOARCH

// One release from the commit to the archives, without a network; then the same
// archives again from the tag, in a clone.
func TestMake(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	dir := repository(t)
	out := t.TempDir()
	first := filepath.Join(out, "first")
	command(t, "", "make", "-root", dir, "-out", first, "-platforms", host, "v0.1.0")

	for name, want := range map[string]string{
		"go.mod":       "require github.com/unpark-go/unpark/probe v0.1.0",
		"go.sum":       "github.com/unpark-go/unpark/probe v0.1.0/go.mod h1:",
		"labs/go.mod":  "github.com/unpark-go/unpark v0.1.0\n",
		"labs/go.sum":  "github.com/unpark-go/unpark v0.1.0 h1:",
		"go.work":      "// Development is served from here.\nreplace (\n\tgithub.com/unpark-go/unpark v0.1.0 => .\n\tgithub.com/unpark-go/unpark/probe v0.1.0 => ./probe\n)",
		"CHANGELOG.md": "## Unreleased\n\n## v0.1.0 - ",
	} {
		if got := read(t, dir, name); !strings.Contains(got, want) || strings.Contains(got, "v0.0.0") {
			t.Errorf("%s:\n%s\nwant it with %q, and without v0.0.0", name, got, want)
		}
	}
	if out, err := git(dir, "status", "--porcelain"); err != nil || out != "" {
		t.Errorf("left behind: %q, %v", out, err)
	}
	for _, tag := range []string{"probe/v0.1.0", "v0.1.0", "labs/v0.1.0"} {
		at, err := git(dir, "rev-parse", tag+"^{commit}")
		if head, _ := git(dir, "rev-parse", "main"); err != nil || at != head {
			t.Errorf("tag %s is at %q (%v), main at %s", tag, at, err, head)
		}
	}

	sumsAreThoseOfTheTags(t, dir)

	clone := filepath.Join(out, "clone")
	if _, err := git(out, "clone", "--quiet", dir, clone); err != nil {
		t.Fatal(err)
	}
	second := filepath.Join(out, "second")
	command(t, "", "rebuild", "-root", clone, "-out", second, "-platforms", host, "v0.1.0")
	sums := read(t, first, "SHA256SUMS")
	if again := read(t, second, "SHA256SUMS"); again != sums {
		t.Errorf("twice is not the same:\n%s\n%s", sums, again)
	}
	if runtime.GOOS != "windows" {
		holds(t, filepath.Join(first, strings.Fields(sums)[1]))
	}
	command(t, "the tag probe/v0.1.0 exists", "make", "-root", dir, "-out", first, "v0.1.0")
}

// sumsAreThoseOfTheTags asks the go command for what it makes of the tags, as it
// will on GitHub, and holds the sums in labs/go.sum against that.
func sumsAreThoseOfTheTags(t *testing.T, dir string) {
	t.Helper()
	sums := read(t, dir, "labs", "go.sum")
	for _, p := range parts {
		cmd := exec.Command("go", "mod", "download", "-json", p.path+"@v0.1.0")
		cmd.Dir = t.TempDir()
		cmd.Env = append(os.Environ(), "GOPROXY=direct", "GOSUMDB=off", "GOWORK=off", "GOFLAGS=-modcacherw", "GOMODCACHE="+t.TempDir(),
			"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url."+fileURL(dir)+".insteadOf", "GIT_CONFIG_VALUE_0=https://"+toolPath)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go mod download %s: %v\n%s", p.path, err, out)
		}
		var got struct{ Sum, GoModSum string }
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatal(err)
		}
		want := p.path + " v0.1.0 " + got.Sum + "\n" + p.path + " v0.1.0/go.mod " + got.GoModSum + "\n"
		if p.path != labsPath && !strings.Contains(sums, want) {
			t.Errorf("labs/go.sum:\n%swant\n%s", sums, want)
		}
	}
}

// holds checks what is in the archive, and that it is sorted and has no owner.
func holds(t *testing.T, name string) {
	t.Helper()
	f, err := gzip.NewReader(strings.NewReader(read(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		_, file, _ := strings.Cut(h.Name, "/")
		got = append(got, file)
		if executable := h.Mode&0o111 != 0; executable != (file == "unpark") || h.Uid != 0 || h.Uname != "" {
			t.Errorf("%s: mode %o, uid %d %q", h.Name, h.Mode, h.Uid, h.Uname)
		}
	}
	want := []string{
		"CHANGELOG.md", "LICENSE", "README.md", "completions/_unpark", "completions/unpark.bash",
		"completions/unpark.fish", "completions/unpark.ps1", "man/man1/unpark.1", "unpark",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s holds %q, want %q", name, got, want)
	}
}

func TestRefusals(t *testing.T) {
	dir := repository(t)
	out := filepath.Join(t.TempDir(), "dist")
	write := func(name, text string) func() {
		return func() {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	run := func(args ...string) func() {
		return func() {
			if _, err := git(dir, args...); err != nil {
				t.Fatal(err)
			}
		}
	}
	mod := read(t, dir, "go.mod")
	for _, tt := range []struct {
		name    string
		before  []func()
		verb    string
		version string
		want    string
	}{
		{"no version", nil, "make", "", "is no semantic version: give one such as v0.1.0"},
		{"no v", nil, "make", "0.1.0", "is no semantic version"},
		{"short", nil, "try", "v0.1", "short for v0.1.0"},
		{"build metadata", nil, "make", "v0.1.0+linux", "build metadata"},
		{"a major version", nil, "make", "v2.0.0", "end in /v2"},
		{"a verb", nil, "undo", "v0.1.0", "make|try|rebuild"},
		{"no such tag", nil, "rebuild", "v0.1.0", "write the files of refs/tags/v0.1.0"},
		{"a new file", []func(){write("new", "")}, "make", "v0.1.0", "changes that are not committed: commit or stash them:\n?? new"},
		{"replaced", []func(){
			func() { os.Remove(filepath.Join(dir, "new")) },
			write("go.mod", mod+"\nreplace example.com/a => ./a\n"), run("commit", "--quiet", "--all", "--message=replace"),
		}, "make", "v0.1.0", "github.com/unpark-go/unpark replaces example.com/a: go install refuses"},
		{"nothing to tell", []func(){
			write("go.mod", mod), write("CHANGELOG.md", "## Unreleased\n\n## v0.0.1\n\n- All.\n"), run("commit", "--quiet", "--all", "--message=empty"),
		}, "make", "v0.1.0", "the changelog tells nothing"},
		{"by hand", []func(){run("tag", "v0.0.1")}, "rebuild", "v0.0.1", "it was not made by `release make v0.0.1`"},
		{"exists", nil, "make", "v0.0.1", "the tag v0.0.1 exists"},
		{"a part exists", []func(){run("tag", "labs/v0.2.0")}, "make", "v0.2.0", "the tag labs/v0.2.0 exists"},
		{"older", nil, "make", "v0.1.0", "the tag labs/v0.2.0 is a later version"},
		{"no branch", []func(){run("checkout", "--quiet", "--detach")}, "make", "v0.3.0", "no branch is checked out"},
	} {
		for _, f := range tt.before {
			f()
		}
		t.Run(tt.name, func(t *testing.T) {
			command(t, tt.want, tt.verb, "-root", dir, "-out", out, tt.version)
		})
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("archives of a release that was refused: %v", err)
	}
	if n, _ := git(dir, "rev-list", "--count", "main"); n != "3" {
		t.Errorf("%s commits, want the 3 of the test", n)
	}
}
