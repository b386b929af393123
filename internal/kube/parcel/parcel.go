// Package parcel carries a folder of files over a stream that may break off: a tar whose
// last member says that it was the last, and how the command ended that wrote the folder.
//
// [Pack] writes it in the coordinator's pod, [Unpack] reads it where the user is. What
// arrives comes from a cluster: names are confined to the folder, sizes are bounded, and
// nothing is overwritten.
package parcel

import (
	"archive/tar"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// End is the last member of a parcel.
type End struct {
	Status  int    `json:"status"`         // exit status of the command
	Said    string `json:"said,omitempty"` // its last words, when it failed
	Partial bool   `json:"partial"`        // the folder is one of a run that did not end
	Version string `json:"version"`        // of the unpark that wrote it
	Files   int    `json:"files"`
}

const lastName = "unpark-parcel.json"

// Bounds of what is unpacked.
const (
	mostFiles = 100_000
	mostBytes = 16 << 30
	mostEnd   = 1 << 20
)

// ErrCut is of a stream that ended before its last member.
var ErrCut = errors.New("the stream ended before all was there")

// Pack writes the files below dir, if it is there, and then end, whose Files it sets.
func Pack(w io.Writer, dir string, end End) error {
	out := tar.NewWriter(w)
	end.Files = 0
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == dir {
			return fs.SkipAll
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		inside, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		end.Files++
		return file(out, name, filepath.ToSlash(inside))
	})
	if err != nil {
		return fmt.Errorf("pack %s: %w", dir, err)
	}
	text, err := json.Marshal(end)
	if err != nil {
		return fmt.Errorf("pack %s: %w", dir, err)
	}
	if err := out.WriteHeader(&tar.Header{Name: lastName, Mode: 0o600, Size: int64(len(text))}); err != nil {
		return fmt.Errorf("pack %s: %w", dir, err)
	}
	if _, err := out.Write(text); err != nil {
		return fmt.Errorf("pack %s: %w", dir, err)
	}
	return out.Close()
}

func file(out *tar.Writer, name, inside string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := out.WriteHeader(&tar.Header{Name: inside, Mode: 0o600, Size: info.Size(), ModTime: info.ModTime()}); err != nil {
		return err
	}
	_, err = io.CopyN(out, f, info.Size())
	return err
}

// Unpack writes the files of a parcel into dir, which it makes and which must not exist; files
// are 0600, folders 0700. ErrCut means that the stream broke off: what was written is removed,
// as after any error.
func Unpack(r io.Reader, dir string) (End, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return End{}, fmt.Errorf("unpack: %w", err)
	}
	end, err := unpack(r, dir)
	if err != nil {
		return End{}, errors.Join(fmt.Errorf("unpack into %s: %w", dir, err), os.RemoveAll(dir))
	}
	return end, nil
}

func unpack(r io.Reader, dir string) (End, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return End{}, err
	}
	defer root.Close()
	in := tar.NewReader(r)
	var bytes int64
	for files := 0; ; files++ {
		h, err := in.Next()
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return End{}, ErrCut
		}
		if err != nil {
			return End{}, fmt.Errorf("read the stream: %w", err)
		}
		if h.Name == lastName {
			return last(in, files)
		}
		bytes += h.Size
		switch {
		case files >= mostFiles:
			return End{}, fmt.Errorf("more than %d files", mostFiles)
		case bytes > mostBytes:
			return End{}, fmt.Errorf("more than %d GiB", mostBytes>>30)
		case h.Typeflag != tar.TypeReg || !filepath.IsLocal(h.Name):
			return End{}, fmt.Errorf("%q is no file inside of the folder", h.Name)
		}
		if err := place(root, in, h); err != nil {
			return End{}, err
		}
	}
}

func place(root *os.Root, in io.Reader, h *tar.Header) error {
	if err := root.MkdirAll(path.Dir(h.Name), 0o700); err != nil {
		return err
	}
	f, err := root.OpenFile(h.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.CopyN(f, in, h.Size)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrCut
	}
	return err
}

func last(in io.Reader, files int) (End, error) {
	text, err := io.ReadAll(io.LimitReader(in, mostEnd))
	if err != nil {
		return End{}, ErrCut
	}
	var end End
	if err := json.Unmarshal(text, &end); err != nil {
		return End{}, fmt.Errorf("read how the run ended: %w", err)
	}
	if end.Files != files {
		return End{}, fmt.Errorf("%d files of %d are there", files, end.Files)
	}
	return end, nil
}
