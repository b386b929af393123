package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/semver"
)

// release is one release of the three modules.
type release struct {
	root      string   // of the repository
	version   string   // "v0.1.0"
	dist      string   // folder for the archives
	platforms []string // "linux/amd64"
	out       io.Writer
}

func (r release) say(format string, args ...any) { fmt.Fprintf(r.out, format+"\n", args...) }

// make commits, tags and builds. Everything that can fail by the tree's fault
// comes before the commit.
func (r release) make() error {
	if err := r.refuse(); err != nil {
		return err
	}
	branch, err := r.branch()
	if err != nil {
		return err
	}
	return r.export("HEAD", func(t checkout) error {
		// The archives' files carry the commit's date, which has whole seconds.
		date := time.Now().UTC().Truncate(time.Second)
		if err := prepare(t.files, r.version, date); err != nil {
			return err
		}
		if err := r.build(t.files, date); err != nil {
			return err
		}
		return r.publish(t, branch, date)
	})
}

// try does all of make that leaves no trace in the repository. What is not
// committed is not tried.
func (r release) try() error {
	if err := validVersion(r.version); err != nil {
		return err
	}
	return r.export("HEAD", func(t checkout) error {
		date, err := r.date(t.revision)
		if err != nil {
			return err
		}
		if err := prepare(t.files, r.version, date); err != nil {
			return err
		}
		return r.build(t.files, date)
	})
}

// rebuild makes the archives of a tagged release again.
func (r release) rebuild() error {
	if err := validVersion(r.version); err != nil {
		return err
	}
	return r.export("refs/tags/"+r.version, func(t checkout) error {
		if err := prepared(t.files, r.version); err != nil {
			return err
		}
		date, err := r.date(t.revision)
		if err != nil {
			return err
		}
		return r.build(t.files, date)
	})
}

// build makes the proxy, proves that it serves users, and makes the archives.
func (r release) build(tree string, date time.Time) error {
	if _, err := os.Stat(r.dist); !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("write archives to %s: it is there already: remove it, or name another with -out", r.dist)
	}
	work, err := os.MkdirTemp("", "unpark-release-")
	if err != nil {
		return fmt.Errorf("make a folder to build in: %w: set TMPDIR to a place with space", err)
	}
	defer os.RemoveAll(work)
	proxy := filepath.Join(work, "proxy")
	if err := writeProxy(proxy, tree, r.version, date); err != nil {
		return err
	}
	g, err := newGoCommand(work, proxy)
	if err != nil {
		return err
	}
	r.say("prove: go install %s/cmd/unpark@%s, and a program that imports the probe", toolPath, r.version)
	host, err := g.prove(tree, r.version)
	if err != nil {
		return err
	}
	extras, err := extrasOf(tree, work, host, date)
	if err != nil {
		return err
	}
	// Beside dist, and renamed at the end: half a set of archives is none.
	partial := r.dist + ".partial"
	if err := os.MkdirAll(partial, 0o755); err != nil {
		return fmt.Errorf("write archives: %w", err)
	}
	defer os.RemoveAll(partial)
	for _, p := range r.platforms {
		binary, err := g.install(p, r.version)
		if err != nil {
			return err
		}
		name, err := writeArchive(partial, p, r.version, binary, extras, date)
		if err != nil {
			return err
		}
		r.say("built %s", name)
	}
	if err := writeSums(partial); err != nil {
		return err
	}
	return os.Rename(partial, r.dist)
}

// validVersion refuses what the go command would not take as the version of
// these modules.
func validVersion(v string) error {
	const cure = "give one such as v0.1.0 or v0.2.0-rc.1"
	switch {
	case !semver.IsValid(v):
		return fmt.Errorf("version %q is no semantic version: %s", v, cure)
	case semver.Build(v) != "":
		return fmt.Errorf("version %q has build metadata, which the go command drops: %s", v, cure)
	case semver.Canonical(v) != v:
		return fmt.Errorf("version %q is short for %s: write that", v, semver.Canonical(v))
	case semver.Major(v) != "v0" && semver.Major(v) != "v1":
		return fmt.Errorf("version %q needs module paths that end in /%s: change them first, or %s", v, semver.Major(v), cure)
	}
	return nil
}
