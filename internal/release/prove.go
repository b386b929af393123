package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// goCommand runs the go command as a user's machine would that knows of unpark
// what the proxy has: no workspace, no settings, a module cache of its own. That
// cache is thrown away, because a version that was tried must not stay in one
// that a later go install of the real version would ask.
type goCommand struct {
	work string // folder for everything
	env  []string
}

func newGoCommand(work, proxy string) (goCommand, error) {
	text, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		return goCommand{}, fmt.Errorf("ask go for its module cache: %w: install Go", err)
	}
	cache, next, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	// The part of a module cache with what was downloaded is a proxy too.
	downloads := filepath.Join(cache, "cache", "download")
	env := append(os.Environ(),
		"GOPROXY="+strings.Join([]string{fileURL(proxy), fileURL(downloads), next}, ","),
		"GOMODCACHE="+filepath.Join(work, "mod"),
		"GOPATH="+filepath.Join(work, "gopath"),
		// What is built is checked against go.sum instead (checkSums).
		"GOSUMDB=off", "GONOSUMDB=", "GONOPROXY=", "GOPRIVATE=",
		"GOWORK=off", "GOENV=off", "GOBIN=", "GOTOOLCHAIN=local", "GO111MODULE=",
		"GOFLAGS=-trimpath -modcacherw",
		// What else changes the bytes of a binary.
		"CGO_ENABLED=0", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0", "GOFIPS140=off")
	return goCommand{work, env}, nil
}

// fileURL is what GOPROXY takes for a folder.
func fileURL(dir string) string {
	slashed := filepath.ToSlash(dir)
	if !strings.HasPrefix(slashed, "/") { // C:/…
		slashed = "/" + slashed
	}
	return "file://" + slashed
}

// run runs the go command in an empty folder of that name.
func (g goCommand) run(name string, env []string, args ...string) error {
	dir := filepath.Join(g.work, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(append(g.env, "PWD="+dir), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w:\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// install builds the tool for a platform as a user does, and returns the binary.
func (g goCommand) install(platform, version string) (string, error) {
	goos, goarch, ok := strings.Cut(platform, "/")
	if !ok {
		return "", fmt.Errorf("platform %q: name it as linux/amd64", platform)
	}
	err := g.run("empty", []string{"GOOS=" + goos, "GOARCH=" + goarch}, "install", toolPath+"/cmd/unpark@"+version)
	if err != nil {
		return "", fmt.Errorf("install for %s: %w", platform, err)
	}
	bin := filepath.Join(g.work, "gopath", "bin")
	if platform != runtime.GOOS+"/"+runtime.GOARCH {
		bin = filepath.Join(bin, goos+"_"+goarch)
	}
	return filepath.Join(bin, binaryName(goos)), nil
}

func binaryName(goos string) string {
	if goos == "windows" {
		return "unpark.exe"
	}
	return "unpark"
}

// prove installs the tool on this machine, checks what it was built of, and
// builds a program that imports the probe. It returns the installed binary.
func (g goCommand) prove(tree, version string) (string, error) {
	host, err := g.install(runtime.GOOS+"/"+runtime.GOARCH, version)
	if err != nil {
		return "", err
	}
	if err := checkSums(host, filepath.Join(tree, "go.sum"), version); err != nil {
		return "", err
	}
	program := filepath.Join(g.work, "service")
	if err := os.MkdirAll(program, 0o755); err != nil {
		return "", err
	}
	const service = "package main\n\nimport _ \"" + probePath + "\"\n\nfunc main() {}\n"
	if err := os.WriteFile(filepath.Join(program, "main.go"), []byte(service), 0o644); err != nil {
		return "", err
	}
	for _, args := range [][]string{
		{"mod", "init", "example.com/service"}, {"get", probePath + "@" + version}, {"build", "-o", "service", "."},
	} {
		if err := g.run("service", nil, args...); err != nil {
			return "", fmt.Errorf("a program that imports the probe: %w", err)
		}
	}
	return host, nil
}

// checkSums holds what a binary says it was built of against go.sum, which go
// install does not read: what is released is what was tested.
func checkSums(binary, sumFile, version string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return fmt.Errorf("read what unpark was built of: %w", err)
	}
	if info.Main.Version != version {
		return fmt.Errorf("the installed unpark says it is %s, not %s", info.Main.Version, version)
	}
	text, err := os.ReadFile(sumFile)
	if err != nil {
		return fmt.Errorf("read the sums: %w", err)
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		known[strings.TrimSpace(line)] = true
	}
	var wrong []error
	for _, d := range info.Deps {
		if line := d.Path + " " + d.Version + " " + d.Sum; !known[line] {
			wrong = append(wrong, fmt.Errorf("unpark was built with %q, which go.sum does not have: run .ci/tidy", line))
		}
	}
	return errors.Join(wrong...)
}
