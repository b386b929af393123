//go:build !unix

package load

import (
	"errors"
	"syscall"
)

// readyConn needs a poller that tells of readiness.
type readyConn struct{}

func newReadyConn([]byte, func(int) (bool, error)) *readyConn { return nil }

func (*readyConn) converse(syscall.RawConn, []byte) (sent int, whole bool, err error) {
	return 0, false, errors.ErrUnsupported
}

func direct(any) syscall.RawConn { return nil }
