package probetest

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// mainModule returns the path of the module under test, empty when it cannot be
// told. Test binaries of older Go versions do not carry it; go test runs them in
// the package's folder, so the module's file is there or above.
func mainModule() string {
	if build, ok := debug.ReadBuildInfo(); ok && build.Main.Path != "" {
		return build.Main.Path
	}
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
			return modulePath(string(text))
		}
		above := filepath.Dir(dir)
		if above == dir {
			return ""
		}
		dir = above
	}
}

// modulePath returns the path in the module line of a go.mod file.
func modulePath(text string) string {
	for _, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "//")
		if words := strings.Fields(line); len(words) == 2 && words[0] == "module" {
			return strings.Trim(words[1], "\"`")
		}
	}
	return ""
}
