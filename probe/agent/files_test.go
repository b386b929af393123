package agent

import (
	"bufio"
	"context"
	"encoding/json"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Every source file but this package's own door to them must be handed out: one
// that is forgotten breaks every service that is built with the probe added.
func TestFilesAreComplete(t *testing.T) {
	files := Files()
	want := map[string]bool{"start.go": true}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") && name != "files.go" {
			want[name] = true
		}
	}
	for name := range want {
		if files[name] == "" {
			t.Errorf("%s is missing: name it in the go:embed line", name)
		}
	}
	for name, text := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			t.Error(err)
			continue
		}
		if !want[name] || f.Name.Name != "unparkagent" {
			t.Errorf("%s: package %s", name, f.Name.Name)
		}
		for _, i := range f.Imports {
			if strings.Contains(i.Path.Value, ".") || i.Path.Value == `"embed"` {
				t.Errorf("%s imports %s", name, i.Path.Value)
			}
		}
	}
}

const plainService = `package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

func handOver(c chan int) {
	for range c {
		time.Sleep(time.Millisecond)
	}
}

func main() {
	c := make(chan int)
	go handOver(c)
	go func() {
		for {
			c <- 1
		}
	}()
	fmt.Println("ready")
	io.Copy(io.Discard, os.Stdin)
}
`

// buildOverlaid builds plainService, which knows nothing of profiling, with the
// agent added by overlay, and returns the binary.
func buildOverlaid(t *testing.T, goDirective string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write("go.mod", "module example.com/plain\n"+goDirective)
	write("main.go", plainService)
	added := t.TempDir()
	replace := map[string]string{}
	add := func(name, text string) {
		file := filepath.Join(added, filepath.Base(name))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(dir, name)] = file
	}
	add("zz_unpark.go", "package main\n\nimport _ \"example.com/plain/internal/unparkagent\"\n")
	for name, text := range Files() {
		add(filepath.Join("internal", "unparkagent", name), text)
	}
	overlay, err := json.Marshal(map[string]interface{}{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "plain")
	cmd := exec.Command("go", "build", "-overlay", write("overlay.json", string(overlay)), "-o", binary, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GO111MODULE=on")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return binary
}

func TestOverlay(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	for _, directive := range []string{"go 1.18\n", "go 1.22\n"} {
		t.Run(strings.TrimSpace(directive), func(t *testing.T) {
			testOverlaid(t, buildOverlaid(t, directive))
		})
	}
}

func testOverlaid(t *testing.T, binary string) {
	dir := shortDir(t)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary)
	cmd.Env = append(os.Environ(), EnvAddress+"=unix:"+dir)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { stdin.Close(); cmd.Wait() }()
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the service said %q, %v", line, err)
	}
	client := unixClient(t, filepath.Join(dir, strconv.Itoa(cmd.Process.Pid)+".sock"))
	_, info := get(t, client, "http://unix/debug/unpark/info")
	if !strings.Contains(info, `"module":"example.com/plain"`) {
		t.Errorf("info: %s", info)
	}
	profile := func() string {
		resp, body := get(t, client, "http://unix/debug/pprof/block?debug=1")
		if resp.StatusCode != 200 {
			t.Fatal(resp.Status)
		}
		return body
	}
	if strings.Contains(profile(), "main.") {
		t.Error("waits are recorded before a lease")
	}
	g, resp, vanish := takeLease(t, client, "block=1&mutex=1&ttl=60")
	if !g.Granted || g.Block == nil || *g.Block != 1 || g.Mutex != 1 {
		t.Errorf("granted %+v", g)
	}
	eventually(t, "the service's waits are in its block profile", func() bool { return strings.Contains(profile(), "main.main.func1") })
	vanish()
	io.Copy(io.Discard, resp.Body)
	eventually(t, "the lease is over", func() bool {
		_, info := get(t, client, "http://unix/debug/unpark/info")
		return strings.Contains(info, `"leased":false`) && strings.Contains(info, `"mutex_fraction":0`)
	})
}
