package project

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/unpark-go/unpark/internal/strict"
)

// FileName is the name of the file, in the folder of a service, a module or a
// workspace.
const FileName = "unpark.yaml"

// FillIn stands in a file for a value that `unpark init` could not know. [Read]
// refuses a file that still has it, with the line.
const FillIn = "FILL-IN"

// File is what one unpark.yaml says. What it does not say is the zero value.
type File struct {
	Name string // as it was opened, for errors

	Package Text   // of the service, built with the probe added
	Command []Text // in place of Package: starts the service
	Args    []Text // of Package
	Pprof   []Text // endpoints of the service; alone: of one that runs already

	Environment []Variable
	Headers     []Variable // by header name; a name may be there several times
	URLs        []URL

	Rate        Text // as --rate takes it
	Connections int
	CPUs        float64 // quota in cores
	Duration    Length  // of the window of run and load
	Warmup      Length

	Test     []Text // command that runs the tests, for `unpark prove`
	Own      []Text // patterns of import paths
	Budget   Budget
	Baseline Baseline
}

// Text is a value and where it stands. Line 0: it is not in the file.
type Text = strict.Text

// Length is a time and where it stands.
type Length struct {
	Text
	Time time.Duration
}

// Variable is a name with a value that may refer to the caller's environment.
type Variable struct {
	Name  string
	Value Text
}

// URL is one kind of request.
type URL struct {
	Address Text    // with a host, or a path from / on, of the port that the service opens
	Weight  float64 // 0 counts as 1
	Method  string  // empty: GET, or POST with a body
	Body    Text
	Expect  []int // accepted statuses; empty: the default
}

// Relative reports whether the address is a path alone.
func (u URL) Relative() bool { return u.Address.Value != "" && u.Address.Value[0] == '/' }

// Budget is a budget of `unpark check`: the name of its file, or its text.
type Budget struct {
	File Text
	// Inline is the budget as it stands in the file, all else blanked out, so that
	// errors of whoever reads it have the right line and column.
	Inline []byte
}

// Baseline is what to compare with.
type Baseline struct {
	Revision Text   // git revision: the arm before of `unpark ab`
	Runs     []Text // directories, for `unpark check`
}

// Errorf returns an error that begins with the place of a value.
func (f *File) Errorf(at Text, format string, a ...any) error {
	return at.Errorf(f.Name, format, a...)
}

// Path returns a file name of the file, which is relative to the folder it lies in.
func (f *File) Path(name Text) string {
	if filepath.IsAbs(name.Value) {
		return name.Value
	}
	return filepath.Join(filepath.Dir(f.Name), filepath.FromSlash(name.Value))
}

// reference is ${NAME}; $${NAME} is ${NAME} as text.
var reference = regexp.MustCompile(`\$?\$\{([^}]*)\}`)

// Expand puts in what ${NAME} stands for; lookup is os.LookupEnv. An error names
// the variable, never a value.
func (f *File) Expand(t Text, lookup func(string) (string, bool)) (string, error) {
	var err error
	out := reference.ReplaceAllStringFunc(t.Value, func(ref string) string {
		if ref[1] == '$' {
			return ref[1:]
		}
		name := ref[2 : len(ref)-1]
		value, ok := lookup(name)
		if !ok && err == nil {
			err = f.Errorf(t, "${%s}: the environment has no %s: export it, or take the line out", name, name)
		}
		return value
	})
	return out, err
}

// Find returns the unpark.yaml of a folder: the one in it, or in the nearest folder
// above it up to the root of its workspace (go.work) or, without one, of its module
// (go.mod). It is empty when there is none.
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", FileName, err)
	}
	root := rootOf(dir)
	for at := dir; ; at = filepath.Dir(at) {
		name := filepath.Join(at, FileName)
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			return name, nil
		}
		if at == root || at == filepath.Dir(at) {
			return "", nil
		}
	}
}

// rootOf returns the folder at which the search for a file ends; dir itself when it
// is in no module.
func rootOf(dir string) string {
	module := dir
	found := false
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.work")); err == nil {
			return at
		}
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil && !found {
			module, found = at, true
		}
		if at == filepath.Dir(at) {
			return module
		}
	}
}

// maxFile bounds the size of a file, in bytes; real ones have a few kB.
const maxFile = 1 << 20

// Open reads a file.
func Open(name string) (*File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("read the project file: %w: name another with --project, or write one: unpark init", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, fmt.Errorf("read %s: it is no file of at most %d kB: give a project file, as `unpark init` writes it", name, maxFile>>10)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read the project file: %w", err)
	}
	return Read(name, text)
}
