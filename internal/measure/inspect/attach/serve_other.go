//go:build !linux || (!amd64 && !arm64)

package attach

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
)

// Supported says that processes of this system cannot be read.
const Supported = false

func separate(*exec.Cmd) {}

// Serve needs Linux.
func Serve(string, Options, io.Reader, io.Writer) error {
	return fmt.Errorf("read the memory of another process: %w on %s/%s: run unpark on Linux for amd64 or arm64", errors.ErrUnsupported, runtime.GOOS, runtime.GOARCH)
}
