package hub

import (
	"fmt"
	"os"

	"github.com/unpark-go/unpark/internal/measure/proc"
)

// TempFolder makes a temporary folder, whose name begins like that, and returns what removes it. It goes with its process, on Linux also
// when that is killed: it may hold gigabytes.
func TempFolder(name string) (dir string, remove func(), err error) {
	dir, err = os.MkdirTemp("", name)
	if err != nil {
		return "", nil, fmt.Errorf("make a folder for what is captured: %w: set TMPDIR to a place with room", err)
	}
	guard := proc.StartGuard(proc.Script{Text: `rm -rf -- "$1"`, Args: []string{dir}})
	return dir, func() {
		_ = os.RemoveAll(dir) // a temporary folder
		guard.Dismiss()
	}, nil
}
