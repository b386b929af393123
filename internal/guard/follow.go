package guard

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

const (
	// mostAtOnce bounds what is read of a log at a time, in bytes: the rest comes a second
	// later. longestLine is what is kept of a line that does not end.
	mostAtOnce  = 4 << 20
	longestLine = 64 << 10
)

// follower reads what is appended to a log. The file may be moved away and made anew, or
// cut to nothing, as logrotate does both.
type follower struct {
	path string
	file *os.File // nil while there is none
	at   int64    // what was read of it
	part []byte   // of a line that has not ended
}

// follow begins at the end of a file, which must be there.
func follow(path string) (*follower, error) {
	f := &follower{path: path}
	if err := f.open(); err != nil {
		return nil, fmt.Errorf("follow the log %s: %w: name a file that can be read, with --log", path, err)
	}
	end, err := f.file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("follow the log %s: %w: name a file, not a pipe", path, err), f.Close())
	}
	f.at = end
	return f, nil
}

func (f *follower) open() error {
	file, err := os.Open(f.path)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no regular file")
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	f.file, f.at, f.part = file, 0, nil
	return nil
}

// Close closes the file; safe on nil.
func (f *follower) Close() error {
	if f == nil || f.file == nil {
		return nil
	}
	err := f.file.Close()
	f.file = nil
	return err
}

// lines returns the lines that were completed since it was called last.
func (f *follower) lines() ([]string, error) {
	if f == nil {
		return nil, nil
	}
	var out []string
	if f.file != nil {
		more, err := f.appended()
		if err != nil {
			return nil, fmt.Errorf("follow the log %s: %w", f.path, err)
		}
		out = more
		if !f.moved() {
			return out, nil
		}
		// What was written between the last read and the move is in the old file.
		more, err = f.appended()
		if err != nil {
			return out, fmt.Errorf("follow the log %s: %w", f.path, err)
		}
		out = append(out, more...)
		if err := f.Close(); err != nil {
			return out, fmt.Errorf("follow the log %s: %w", f.path, err)
		}
	}
	if err := f.open(); err != nil {
		if errors.Is(err, fs.ErrNotExist) { // between its two names
			return out, nil
		}
		return out, fmt.Errorf("follow the log %s: %w", f.path, err)
	}
	more, err := f.appended()
	return append(out, more...), err
}

// moved reports whether the name is of another file by now, or of none.
func (f *follower) moved() bool {
	is, err := os.Stat(f.path)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	was, err := f.file.Stat()
	return err == nil && !os.SameFile(is, was)
}

// appended reads on.
func (f *follower) appended() ([]string, error) {
	info, err := f.file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < f.at { // it was cut
		f.at, f.part = 0, nil
	}
	b := make([]byte, min(info.Size()-f.at, mostAtOnce))
	n, err := f.file.ReadAt(b, f.at)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	f.at += int64(n)
	all := append(f.part, b[:n]...)
	var out []string
	for {
		line, rest, ended := bytes.Cut(all, []byte("\n"))
		if !ended {
			f.part = bytes.Clone(line[:min(len(line), longestLine)])
			return out, nil
		}
		out = append(out, string(bytes.TrimSuffix(line, []byte("\r"))))
		all = rest
	}
}
