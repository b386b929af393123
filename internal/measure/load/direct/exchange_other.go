//go:build !unix

package direct

import (
	"errors"
	"syscall"
)

// Exchange needs a poller that tells of readiness.
type Exchange struct{}

// NewExchange returns nil.
func NewExchange([]byte, func(int) (bool, error)) *Exchange { return nil }

// Converse fails.
func (*Exchange) Converse(syscall.RawConn, []byte) (sent int, whole bool, err error) {
	return 0, false, errors.ErrUnsupported
}

// Raw returns nil: no connection is fit for an exchange.
func Raw(any) syscall.RawConn { return nil }

// Waiting returns false: it cannot be told.
func Waiting(syscall.RawConn) bool { return false }
