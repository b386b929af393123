package profile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// inflater reads files one after the other in the same room. The zero value is ready.
type inflater struct {
	file, out bytes.Buffer
	zip       gzip.Reader
}

// read reads all of r, at most l.bytes before and after inflation. What it returns holds until the next call.
func (in *inflater) read(r io.Reader, name string, l limits) ([]byte, error) {
	data, err := readAll(&in.file, r, l.bytes, 0)
	if err != nil {
		return nil, &fileError{Name: name, Cause: fmt.Sprintf("cannot be read after %d bytes", len(data)), Err: err}
	}
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		if is := sniff(data); is != "" {
			return nil, &fileError{Name: name, Cause: is}
		}
		return data, nil
	}
	if err := in.zip.Reset(bytes.NewReader(data)); err != nil {
		return nil, &fileError{Name: name, Cause: fmt.Sprintf("truncated after %d bytes: fetch it again", len(data)), Err: err}
	}
	out, err := readAll(&in.out, &in.zip, l.bytes, inflated(data))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return nil, &fileError{Name: name, Cause: fmt.Sprintf("truncated after %d bytes: fetch it again", len(data)), Err: err}
	case err != nil:
		return nil, &fileError{Name: name, Cause: fmt.Sprintf("cannot be inflated after %d bytes", len(out)), Err: err}
	}
	if is := sniff(out); is != "" {
		return nil, &fileError{Name: name, Cause: is}
	}
	return out, nil
}

// mostInflated is how many times its size a file is believed to be when it is inflated, before that is seen: no profile of
// Go's comes near, and room is not made for what a damaged file says.
const mostInflated = 16

// inflated is about how large a file of gzip says that it is when inflated (RFC 1952, ISIZE): the last four bytes. It is a size to
// make room for, and nothing else depends on it.
func inflated(data []byte) int {
	if len(data) < 4 {
		return 0
	}
	said := binary.LittleEndian.Uint32(data[len(data)-4:])
	return int(min(int64(said), mostInflated*int64(len(data))))
}

// readAll reads r into b, failing when there is more than limit. About so many bytes are expected; 0 is unknown.
func readAll(b *bytes.Buffer, r io.Reader, limit int64, expected int) ([]byte, error) {
	b.Reset()
	if expected > 0 {
		b.Grow(expected + bytes.MinRead) // which ReadFrom wants free to find the end
	}
	n, err := b.ReadFrom(io.LimitReader(r, limit+1))
	if err == nil && n > limit {
		return b.Bytes(), fmt.Errorf("it is larger than %d bytes, the limit for one profile", limit)
	}
	return b.Bytes(), err
}
