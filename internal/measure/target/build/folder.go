package build

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/unpark-go/unpark/internal/measure/proc"
)

// Folder is a folder for what is built, of this user alone. It is removed when it is not
// needed any more, on Linux also when unpark is killed.
type Folder struct {
	Path  string
	guard *proc.Guard
}

// folderScript removes the folder ($1). A target that runs in it is killed by its own
// guard meanwhile, and may write until then. Of a git worktree the repository ($2) knows;
// its record goes too.
const folderScript = `n=0
while [ -d "$1" ] && [ $n -lt 100 ]; do
	n=$((n+1))
	rm -rf -- "$1" 2>/dev/null
	[ ! -d "$1" ] || sleep 0.05
done
[ -z "$2" ] || git -C "$2" worktree prune
`

// guardFolder sees to it that a folder goes when unpark is killed, by a signal that it
// does not catch (the terminal's end) or a second Ctrl-C.
func guardFolder(dir, repository string) *proc.Guard {
	return proc.StartGuard(proc.Script{Text: folderScript, Args: []string{dir, repository}})
}

// MakeFolder makes a folder below base; empty: the user's cache, unpark/build there. It is
// not the temporary folder, because programs look at where they lie: PocketBase takes
// itself for a development build there (core.IsProbablyGoRun), and answers otherwise.
func MakeFolder(base string) (*Folder, error) {
	if base == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("make a folder for the build: %w: name one with --build-dir", err)
		}
		base = filepath.Join(cache, "unpark", "build")
	}
	base, err := filepath.Abs(base)
	if err == nil {
		err = os.MkdirAll(base, 0o700)
	}
	dir := ""
	if err == nil {
		dir, err = os.MkdirTemp(base, "")
	}
	if err != nil {
		if p, ok := errors.AsType[*fs.PathError](err); ok {
			err = p.Err // the message has the path
		}
		return nil, fmt.Errorf("make a folder for the build in %s: %w: name another with --build-dir", base, err)
	}
	return &Folder{Path: dir, guard: guardFolder(dir, "")}, nil
}

// Remove removes the folder. It does nothing for nil, and the second time.
func (f *Folder) Remove() error {
	if f == nil || f.Path == "" {
		return nil
	}
	err := os.RemoveAll(f.Path)
	f.guard.Dismiss()
	f.guard = nil
	if err != nil {
		return fmt.Errorf("remove the build: %w: remove it by hand", err)
	}
	f.Path = ""
	return nil
}
