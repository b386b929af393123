package build

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
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

// ownOverlay returns the overlay that the user's GOFLAGS name: by absolute file name, the
// file that the compiler sees in its place, "" for one that is taken away. A flag on the
// command line would replace it whole.
func (g goCommand) ownOverlay(ctx context.Context) (map[string]string, error) {
	out, err := g.command(ctx, "env", "GOFLAGS").Output() // of the environment, or of go env -w
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("ask go for GOFLAGS: %w", err)
	}
	name := overlayFlag(strings.TrimSpace(string(out)))
	if name == "" {
		return nil, nil
	}
	dir, err := filepath.Abs(g.dir)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(inDir(dir, name))
	if err != nil {
		return nil, fmt.Errorf("read the overlay of GOFLAGS: %w", err)
	}
	own, err := parseOverlay(text, dir)
	if err != nil {
		return nil, fmt.Errorf("read the overlay of GOFLAGS, %s: %w", name, err)
	}
	return own, nil
}

// parseOverlay reads an overlay of the go command (go help build); names are relative to
// dir, where the command runs.
func parseOverlay(text []byte, dir string) (map[string]string, error) {
	var overlay struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &overlay); err != nil {
		return nil, err
	}
	own := map[string]string{}
	for from, to := range overlay.Replace {
		if to != "" {
			to = filepath.Clean(inDir(dir, to))
		}
		own[filepath.Clean(inDir(dir, from))] = to
	}
	return own, nil
}

// overlayFlag returns the value of -overlay among the flags of GOFLAGS; the last one
// counts. A flag with spaces in it is quoted as a whole (cmd/internal/quoted).
func overlayFlag(flags string) string {
	name := ""
	for {
		flags = strings.TrimLeft(flags, " \t\n\r")
		if flags == "" {
			return name
		}
		flag, rest := flags, ""
		if q := flags[0]; q == '\'' || q == '"' {
			flag, rest, _ = strings.Cut(flags[1:], string(q))
		} else if i := strings.IndexAny(flags, " \t\n\r"); i >= 0 {
			flag, rest = flags[:i], flags[i:]
		}
		flags = rest
		key, value, ok := strings.Cut(strings.TrimPrefix(flag, "-"), "=")
		if ok && (key == "overlay" || key == "-overlay") {
			name = value
		}
	}
}
