package bucket

import (
	"context"
	"io"
	"iter"
	"time"
)

// Objects is what is asked of an object store. Keys are whole, without a bucket. Errors of an object that is not there wrap
// [io/fs.ErrNotExist].
type Objects interface {
	// Get opens an object, which the caller closes.
	Get(ctx context.Context, key string) (io.ReadCloser, error)
	// Put makes an object of a known size in one step, or none. Only where c is Absent does it keep one that is there: the error then
	// wraps [io/fs.ErrExist].
	Put(ctx context.Context, key string, body Body, c Condition) error
	// List lists what begins with a prefix, in the order of keys. It ends with the first error.
	List(ctx context.Context, prefix string) iter.Seq2[Object, error]
	// Remove removes an object. One that is not there is no error.
	Remove(ctx context.Context, key string) error
}

// Body is what becomes an object. It is read from its beginning, again where a request is repeated.
type Body struct {
	io.ReadSeeker
	Size int64
}

// Condition says when an object is made.
type Condition int

// The conditions.
const (
	Always Condition = iota
	Absent           // only where there is none
)

// Object is one of a listing.
type Object struct {
	Key      string
	Size     int64
	Modified time.Time
}
