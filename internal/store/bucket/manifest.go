package bucket

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/unpark-go/unpark/internal/escape"
)

const (
	schema       = "unpark.manifest/v1"
	own          = ".unpark" // where manifests and drafts are, below the prefix
	manifestFile = ".json"
	draftFile    = ".draft"
)

// manifest says which files a run has. It is what makes it visible.
type manifest struct {
	Schema string    `json:"schema"`
	Run    string    `json:"run"`
	Pushed time.Time `json:"pushed"`
	Files  []entry   `json:"files"` // by name
}

// entry is one file.
type entry struct {
	Name   string `json:"name"` // below the run, with slashes
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"` // in hex
}

// same reports whether two manifests are of the same files.
func (m manifest) same(other manifest) bool { return slices.Equal(m.Files, other.Files) }

func (m manifest) size() (n int64) {
	for _, f := range m.Files {
		n += f.Size
	}
	return n
}

func (m manifest) encode() (Body, error) {
	text, err := json.MarshalIndent(m, "", " ")
	return Body{bytes.NewReader(text), int64(len(text))}, err
}

// decodeManifest reads a manifest and refuses one that could lead anywhere else.
func decodeManifest(r io.Reader, run string) (manifest, error) {
	var m manifest
	text, err := io.ReadAll(io.LimitReader(r, maxManifest+1))
	if err != nil {
		return m, err
	}
	if len(text) > maxManifest {
		return m, fmt.Errorf("it is larger than %d MB: no manifest", maxManifest>>20)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return manifest{}, fmt.Errorf("it is damaged (%w): push the run again", err)
	}
	return m, m.check(run)
}

func (m manifest) check(run string) error {
	switch {
	case m.Schema != schema:
		return fmt.Errorf("schema %s is not known to this unpark, which reads %s: use the version that wrote it, or a newer one", escape.Line(fmt.Sprintf("%q", m.Schema)), schema)
	case m.Run != run:
		return fmt.Errorf("it is of another run, %s", escape.Line(m.Run))
	case len(m.Files) > maxFiles:
		return fmt.Errorf("it has more than %d files: no run directory", maxFiles)
	}
	before := ""
	for _, f := range m.Files {
		sum, err := hex.DecodeString(f.SHA256)
		switch {
		case !ordinary(f.Name):
			return fmt.Errorf("%s is no name for a file of a run", escape.Line(fmt.Sprintf("%q", f.Name)))
		case f.Name <= before:
			return fmt.Errorf("%s stands twice or out of order", escape.Line(f.Name))
		case f.Size < 0 || f.Size > maxFile || err != nil || len(sum) != sha256.Size:
			return fmt.Errorf("the size or the sum of %s cannot be right", escape.Line(f.Name))
		}
		before = f.Name
	}
	return nil
}

// ordinary reports whether a name is one of a file of a run: local, and no element of it hidden.
func ordinary(name string) bool {
	local, err := filepath.Localize(name)
	return err == nil && local != "." && !hiddenIn(name) && !strings.ContainsAny(name, "\\:") && len(name) <= longestFile
}

// checkRun refuses a name that no run can have.
func checkRun(name string) error {
	if !ordinary(name) || strings.Contains(name, "/") || len(name) > longestRun {
		return fmt.Errorf("%s is no name for a run: it is one element of a path, and begins with no dot", escape.Line(fmt.Sprintf("%q", name)))
	}
	return nil
}

// read gets a manifest or draft.
func (s *Store) read(ctx context.Context, run, kind string) (manifest, error) {
	r, err := s.objects.Get(ctx, s.ownKey(run, kind))
	if err != nil {
		return manifest{}, err
	}
	defer r.Close()
	return decodeManifest(r, run)
}

// manifest gets that of a run which is there.
func (s *Store) manifest(ctx context.Context, run string) (manifest, error) {
	if err := checkRun(run); err != nil {
		return manifest{}, fmt.Errorf("open %s: %w", s.at.run(run), err)
	}
	m, err := s.read(ctx, run, manifestFile)
	if errors.Is(err, fs.ErrNotExist) {
		return m, fmt.Errorf("open %s: %w: which there are, unpark store ls %s says", s.at.run(run), refusal{"no run of this name is there", fs.ErrNotExist}, s.at)
	}
	if err != nil {
		return m, fmt.Errorf("open %s: its manifest: %w", s.at.run(run), err)
	}
	return m, nil
}
