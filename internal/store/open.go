package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/unpark-go/unpark"
)

// maxDocument bounds what is read of a run.json. A run of 128 processes, ten
// windows and all kinds takes about 4 MB.
const maxDocument = 64 << 20

// Open reads a run, finished or partial, and returns it with the directory it
// is in. dir may also be the run.json itself, or the name that a partial run
// would have got. Without a whole run.json, Partial says so and Windows come
// from the files that are there.
func Open(dir string) (unpark.Run, string, error) {
	dir, err := locate(filepath.Clean(dir))
	if err != nil {
		return unpark.Run{}, "", err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return unpark.Run{}, "", fail("open run", dir, err)
	}
	defer root.Close()

	run, err := load(root, dir)
	if err != nil {
		return unpark.Run{}, "", err
	}
	if run.Partial == "" && strings.HasSuffix(dir, suffix) {
		run.Partial = "the run ended, but its directory was not renamed"
	}
	if run.Partial != "" {
		if err := recoverFiles(root, &run); err != nil {
			return unpark.Run{}, "", fail("open run", dir, err)
		}
	}
	if run.ID == "" {
		run.ID = strings.TrimSuffix(filepath.Base(dir), suffix)
	}
	if len(run.Windows) == 0 && run.Started.IsZero() {
		return unpark.Run{}, "", fmt.Errorf("open run %s: neither run.json nor a profile in it; "+
			"give the directory that unpark run printed", dir)
	}
	confine(&run)
	return run, dir, nil
}

// locate finds the directory of the run that a user means.
func locate(dir string) (string, error) {
	info, err := os.Stat(dir)
	switch {
	case err == nil && info.IsDir():
		return dir, nil
	case err == nil && filepath.Base(dir) == document:
		return filepath.Dir(dir), nil
	case err == nil:
		return "", fmt.Errorf("open run %s: it is a file, not a run directory; "+
			"to read a profile, use unpark diagnose", dir)
	case !errors.Is(err, fs.ErrNotExist):
		return "", fail("open run", dir, err)
	}
	if info, err := os.Stat(dir + suffix); err == nil && info.IsDir() {
		return dir + suffix, nil
	}
	return "", fmt.Errorf("open run %s: %w; give the directory that unpark run printed", dir, fs.ErrNotExist)
}

// load reads run.json; a missing or truncated one is a partial run.
func load(root *os.Root, dir string) (unpark.Run, error) {
	object := filepath.Join(dir, document)
	missing := func(why string) (unpark.Run, error) {
		return unpark.Run{Schema: unpark.SchemaRun, Partial: why, Limit: unpark.Limit{Kind: unpark.LimitUnknown}}, nil
	}
	f, err := regular(root, document)
	if errors.Is(err, fs.ErrNotExist) {
		return missing("run.json is missing: the run was stopped before it wrote one")
	}
	if err != nil {
		return unpark.Run{}, fail("open run", object, err)
	}
	defer f.Close()
	run, err := decode(f)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return missing("run.json is cut short: the disk was full, or the machine stopped")
	}
	if err != nil {
		return unpark.Run{}, fmt.Errorf("read %s: %w", object, err)
	}
	return run, nil
}

// decode reads one run document. The error is io.ErrUnexpectedEOF when the
// document ends too early.
func decode(r io.Reader) (unpark.Run, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxDocument+1))
	if err != nil {
		return unpark.Run{}, err
	}
	if len(text) > maxDocument {
		return unpark.Run{}, fmt.Errorf("larger than %d MB: not a run document", maxDocument>>20)
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := unmarshal(text, &head); err != nil {
		return unpark.Run{}, err
	}
	switch {
	case head.Schema == "":
		return unpark.Run{}, errors.New(`no "schema" in it: not a run document`)
	case head.Schema != unpark.SchemaRun:
		return unpark.Run{}, fmt.Errorf("schema %q is not known to this unpark, which reads %s; "+
			"use the version of unpark that wrote it, or a newer one", head.Schema, unpark.SchemaRun)
	}
	var run unpark.Run
	if err := unmarshal(text, &run); err != nil {
		return unpark.Run{}, err
	}
	return run, nil
}

// unmarshal decodes text and tells a document that ends early from one that is
// wrong; the error of the latter has the offset.
func unmarshal(text []byte, into any) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return io.ErrUnexpectedEOF
	}
	err := json.Unmarshal(text, into)
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input":
		return io.ErrUnexpectedEOF
	case errors.As(err, &syntax):
		return fmt.Errorf("byte %d: %w", syntax.Offset, err)
	case errors.As(err, &wrong):
		return fmt.Errorf("byte %d: key %q: a JSON %s does not fit", wrong.Offset, wrong.Field, wrong.Value)
	}
	return err
}

// confine marks profiles whose name leads out of the run directory as bad, so
// that nobody opens them: a run document may come from elsewhere.
func confine(run *unpark.Run) {
	for i := range run.Windows {
		for j := range run.Windows[i].Profiles {
			p := &run.Windows[i].Profiles[j]
			if p.File == "" {
				continue
			}
			if _, err := filepath.Localize(p.File); err != nil {
				p.State, p.Note = unpark.Bad, fmt.Sprintf("%q lies outside the run directory", p.File)
				p.File = ""
			}
		}
	}
}
