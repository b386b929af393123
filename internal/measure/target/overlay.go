package target

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// overlayOf writes what the compiler is to see besides the disk into the folder work:
// the probe, what replaces sources, and the overlay that the user has. It returns the
// name of the overlay, "" when there is nothing to add.
func overlayOf(work string, p listed, files map[string]string, more additions) (string, error) {
	all := map[string][]byte{}
	// A service that starts the probe itself needs no other: a second one would
	// take the socket, and the service's middleware would see no window.
	if !slices.Contains(p.Deps, ownProbe) {
		probe, err := probeFiles(p, files)
		if err != nil {
			return "", err
		}
		all = probe
	}
	for name, text := range more.replace {
		all[name] = text
	}
	if len(all) == 0 {
		return "", nil
	}
	return writeOverlay(work, all, more.own)
}

// additions are what the compiler is to see beside the probe.
type additions struct {
	replace map[string][]byte // by absolute name; made from what own shows
	own     map[string]string // the user's overlay: by absolute name, the file in its place
}

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

// writeOverlay writes sources and the overlay that puts them in place, with all of the
// user's own: the go command takes one overlay.
func writeOverlay(work string, sources map[string][]byte, own map[string]string) (string, error) {
	replace := map[string]string{}
	maps.Copy(replace, own)
	n := 0
	for name, text := range sources {
		n++
		file := filepath.Join(work, strconv.Itoa(n)+"_"+strings.ReplaceAll(filepath.Base(name), " ", "_"))
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return "", fmt.Errorf("write the added source: %w: name a place with space (--build-dir)", err)
		}
		replace[name] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(work, "overlay.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return "", fmt.Errorf("write the overlay: %w: name a place with space (--build-dir)", err)
	}
	return file, nil
}
