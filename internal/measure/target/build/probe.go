package build

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// Where the probe is put: a package below the program's, and a file that imports it.
const (
	agentFolder = "internal/unparkagent"
	importer    = "zz_unpark_probe.go"
)

// ownProbe is the package that a service with the probe of its own depends on.
const ownProbe = "github.com/unpark-go/unpark/probe/agent"

// probeFiles returns the probe's sources by the names that they are to have.
func probeFiles(p listed, files map[string]string) (map[string][]byte, error) {
	if len(files) == 0 {
		return nil, errors.New("the probe's sources are not in this build of unpark: build unpark again")
	}
	for _, taken := range []string{importer, agentFolder} {
		at := filepath.Join(p.Dir, filepath.FromSlash(taken))
		if _, err := os.Lstat(at); !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s exists, and the probe would be put there: rename it", at)
		}
	}
	out := map[string][]byte{
		filepath.Join(p.Dir, importer): []byte("package main\n\nimport _ \"" + path.Join(p.ImportPath, agentFolder) + "\"\n"),
	}
	for name, text := range files {
		out[filepath.Join(p.Dir, filepath.FromSlash(agentFolder), name)] = []byte(text)
	}
	return out, nil
}
