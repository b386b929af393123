package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// build makes the service of a variant, or finds the one that was made of the same
// sources, and returns its path.
func (f fault) build(ctx context.Context, variant, bin string) (string, error) {
	from := variant
	if f.AfterEnv != "" {
		from = "before" // one binary is both
	}
	sum, err := f.sum(from)
	if err != nil {
		return "", err
	}
	out := filepath.Join(bin, f.Name+"-"+from+"-"+sum)
	if _, err := os.Stat(out); err == nil {
		return out, nil
	}
	if err := os.MkdirAll(bin, 0o700); err != nil {
		return "", err
	}
	if err := f.tool(ctx, "build", from, "-o", out+".part", "."); err != nil {
		return "", err
	}
	return out, os.Rename(out+".part", out)
}

// fetch has the source of a variant's modules here.
func (f fault) fetch(ctx context.Context, variant string) error {
	if f.AfterEnv != "" {
		variant = "before"
	}
	return f.tool(ctx, "list", variant, "-deps", ".")
}

// tool runs a command of go with the modules of a variant.
func (f fault) tool(ctx context.Context, command, variant string, args ...string) error {
	c := exec.CommandContext(ctx, "go", append([]string{command, "-modfile=" + filepath.Join(variant, "go.mod")}, args...)...)
	c.Dir = f.dir
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod -trimpath")
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s %s, %s: %w: %s", command, f.Name, variant, err, last(said.String()))
	}
	return nil
}

// sum names the sources of a variant.
func (f fault) sum(from string) (string, error) {
	h := sha256.New()
	h.Write([]byte(runtime.Version()))
	for _, dir := range []string{f.dir, filepath.Join(f.dir, from), filepath.Join(f.dir, "..", "..", "service")} {
		files, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the shell of the cases elsewhere
		} else if err != nil {
			return "", err
		}
		for _, file := range files {
			if file.IsDir() || file.Name() == "case.json" {
				continue
			}
			data, err := os.ReadFile(filepath.Join(dir, file.Name()))
			if err != nil {
				return "", err
			}
			h.Write([]byte(file.Name() + "\x00"))
			h.Write(data)
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:12], nil
}

// last is the last line of a text.
func last(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}
