package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
	modzip "golang.org/x/mod/zip"
)

const (
	toolPath  = "github.com/unpark-go/unpark"
	probePath = toolPath + "/probe"
	labsPath  = toolPath + "/labs"
)

// part is one of the modules. Its tag is its folder, a slash, and the version.
type part struct {
	path  string   // of the module
	dir   string   // in the repository
	needs []string // module paths of those parts that it requires
}

// parts in the order of their needs, which is the order of their tags too: a
// module must never be there without what it requires.
var parts = []part{
	{path: probePath, dir: "probe"},
	{path: toolPath, dir: ".", needs: []string{probePath}},
	{path: labsPath, dir: "labs", needs: []string{toolPath, probePath}},
}

func (p part) tag(version string) string {
	if p.dir == "." {
		return version
	}
	return p.dir + "/" + version
}

// prepare edits a tree until it is what the tags are to point at. The zip file
// of a module leaves out the modules below it, so each sum is final before the
// next module needs it.
func prepare(tree, version string, date time.Time) error {
	if err := dateChangelog(filepath.Join(tree, "CHANGELOG.md"), version, date); err != nil {
		return err
	}
	if err := editWork(filepath.Join(tree, "go.work"), version); err != nil {
		return err
	}
	sums := map[string][]string{} // lines of go.sum by module path
	for _, p := range parts {
		dir := filepath.Join(tree, p.dir)
		if err := editMod(filepath.Join(dir, "go.mod"), p, version); err != nil {
			return err
		}
		if len(p.needs) > 0 {
			if err := editSum(filepath.Join(dir, "go.sum"), p, sums); err != nil {
				return err
			}
		}
		lines, err := sumLines(p.path, dir, version)
		if err != nil {
			return err
		}
		sums[p.path] = lines
	}
	return nil
}

// prepared checks that a tree asks for its own modules at version.
func prepared(tree, version string) error {
	for _, p := range parts {
		name := filepath.Join(tree, p.dir, "go.mod")
		f, err := readMod(name, p)
		if err != nil {
			return err
		}
		for _, r := range f.Require {
			if slices.Contains(p.needs, r.Mod.Path) && r.Mod.Version != version {
				return fmt.Errorf("%s of %s asks for %s: it was not made by `release make %s`", p.path, version, r.Mod, version)
			}
		}
	}
	return nil
}

// readMod reads a go.mod and refuses the one thing that go install refuses.
func readMod(name string, p part) (*modfile.File, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read the module %s: %w", p.path, err)
	}
	f, err := modfile.Parse(name, text, nil)
	if err != nil {
		return nil, fmt.Errorf("read the module %s: %w", p.path, err)
	}
	if f.Module == nil || f.Module.Mod.Path != p.path {
		return nil, fmt.Errorf("%s is not the module %s: name the root of the repository with -root", name, p.path)
	}
	if len(f.Replace) > 0 {
		return nil, fmt.Errorf("%s replaces %s: go install refuses that in a released module: keep replace lines in go.work", p.path, f.Replace[0].Old.Path)
	}
	return f, nil
}

func editMod(name string, p part, version string) error {
	f, err := readMod(name, p)
	if err != nil {
		return err
	}
	for _, need := range p.needs {
		if err := f.AddRequire(need, version); err != nil {
			return fmt.Errorf("require %s in %s: %w", need, p.path, err)
		}
	}
	text, err := f.Format()
	if err != nil {
		return fmt.Errorf("write the module %s: %w", p.path, err)
	}
	return rewrite(name, text)
}

// editWork lets the workspace serve the version that go.mod files ask for now:
// the go command would look for it on the network otherwise.
func editWork(name, version string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("read the workspace: %w", err)
	}
	f, err := modfile.ParseWork(name, text, nil)
	if err != nil {
		return fmt.Errorf("read the workspace: %w", err)
	}
	for _, r := range slices.Clone(f.Replace) {
		if r.Old.Path != toolPath && r.Old.Path != probePath {
			continue
		}
		// In its place, so that the comment above it stays.
		r.Syntax.Token[slices.Index(r.Syntax.Token, r.Old.Version)] = version
	}
	return rewrite(name, modfile.Format(f.Syntax))
}

// editSum puts the sums of the parts that p needs in place of older ones.
func editSum(name string, p part, sums map[string][]string) error {
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read the sums of %s: %w", p.path, err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if path, _, _ := strings.Cut(line, " "); !slices.ContainsFunc(parts, func(p part) bool { return p.path == path }) {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	for _, need := range p.needs {
		lines = append(lines, sums[need]...)
	}
	slices.Sort(lines)
	return rewrite(name, []byte(strings.Join(lines, "\n")+"\n"))
}

// sumLines returns the two lines of go.sum for a module: of its zip file and of
// its go.mod (https://go.dev/ref/mod#go-sum-files).
func sumLines(path, dir, version string) ([]string, error) {
	f, err := os.CreateTemp("", "unpark-release-*.zip")
	if err != nil {
		return nil, fmt.Errorf("sum %s: %w", path, err)
	}
	defer os.Remove(f.Name())
	err = modzip.CreateFromDir(f, module.Version{Path: path, Version: version}, dir)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("make the zip file of %s: %w", path, err)
	}
	whole, err := dirhash.HashZip(f.Name(), dirhash.Hash1)
	if err != nil {
		return nil, fmt.Errorf("sum %s: %w", path, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return nil, fmt.Errorf("sum %s: %w", path, err)
	}
	mod, err := dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(text)), nil
	})
	if err != nil {
		return nil, fmt.Errorf("sum the go.mod of %s: %w", path, err)
	}
	return []string{
		fmt.Sprintf("%s %s %s", path, version, whole),
		fmt.Sprintf("%s %s/go.mod %s", path, version, mod),
	}, nil
}

// dateChangelog gives what is unreleased its version.
func dateChangelog(name, version string, date time.Time) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("read the changelog: %w", err)
	}
	const heading = "## Unreleased\n"
	before, after, ok := strings.Cut(string(text), heading)
	if !ok {
		return fmt.Errorf("the changelog has no line %q: what changed is told there", strings.TrimSpace(heading))
	}
	section, _, _ := strings.Cut(after, "\n## ")
	if strings.TrimSpace(section) == "" {
		return fmt.Errorf("the changelog tells nothing of what changed for %s: write it below %q", version, strings.TrimSpace(heading))
	}
	return rewrite(name, []byte(before+heading+"\n## "+version+" - "+date.Format(time.DateOnly)+"\n"+after))
}

func rewrite(name string, text []byte) error {
	if err := os.WriteFile(name, text, 0o644); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
