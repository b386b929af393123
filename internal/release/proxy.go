package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

// writeProxy writes the modules of a tree as a module proxy that GOPROXY can
// name with file:// (https://go.dev/ref/mod#goproxy-protocol).
func writeProxy(proxy, tree, version string, date time.Time) error {
	for _, p := range parts {
		escaped, err := module.EscapePath(p.path)
		if err != nil {
			return fmt.Errorf("write %s into the proxy: %w", p.path, err)
		}
		base := filepath.Join(proxy, filepath.FromSlash(escaped), "@v")
		if err := writeVersion(base, filepath.Join(tree, p.dir), module.Version{Path: p.path, Version: version}, date); err != nil {
			return fmt.Errorf("write %s into the proxy: %w", p.path, err)
		}
	}
	return nil
}

func writeVersion(base, dir string, m module.Version, date time.Time) error {
	if err := os.MkdirAll(base, 0o755); err != nil {
		return err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{m.Version, date})
	if err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	for suffix, text := range map[string][]byte{
		"list": []byte(m.Version + "\n"), m.Version + ".info": info, m.Version + ".mod": mod,
	} {
		if err := os.WriteFile(filepath.Join(base, suffix), text, 0o644); err != nil {
			return err
		}
	}
	f, err := os.Create(filepath.Join(base, m.Version+".zip"))
	if err != nil {
		return err
	}
	return errors.Join(modzip.CreateFromDir(f, m, dir), f.Close())
}
