// Manuals of machines: each is a compressed archive of pages, as the maker publishes it, and is read from the archive when
// a page is asked for, so that nothing has to be unpacked anywhere.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math/rand/v2"
	"net/http"
	"path"
	"strings"
	"testing/fstest"

	"github.com/mholt/archives"

	"wild/service"
)

// shelf has the manuals, by machine.
type shelf struct{ manuals map[string]fs.FS }

// add puts a manual on the shelf.
func (s *shelf) add(machine string, archive []byte) error {
	ctx := context.Background()
	if service.After() {
		pages, err := unpack(ctx, archive)
		if err != nil {
			return fmt.Errorf("%s: %w", machine, err)
		}
		s.manuals[machine] = pages
		return nil
	}
	manual, err := archives.FileSystem(ctx, machine+".tar.gz", bytes.NewReader(archive))
	if err != nil {
		return fmt.Errorf("%s: %w", machine, err)
	}
	s.manuals[machine] = manual
	return nil
}

// unpack has all pages of an archive, in one pass.
func unpack(ctx context.Context, archive []byte) (fs.FS, error) {
	pages := fstest.MapFS{}
	format := archives.CompressedArchive{Compression: archives.Gz{}, Extraction: archives.Tar{}}
	err := format.Extract(ctx, bytes.NewReader(archive), func(_ context.Context, info archives.FileInfo) error {
		if info.IsDir() {
			return nil
		}
		f, err := info.Open()
		if err != nil {
			return err
		}
		defer f.Close()
		data, err := io.ReadAll(f)
		pages[path.Clean(info.NameInArchive)] = &fstest.MapFile{Data: data, Mode: 0o444, ModTime: info.ModTime()}
		return err
	})
	return pages, err
}

var errMachine = errors.New("no such machine")

// page is one of a manual.
func (s *shelf) page(machine, name string) ([]byte, error) {
	manual, ok := s.manuals[machine]
	if !ok {
		return nil, errMachine
	}
	return fs.ReadFile(manual, name)
}

func main() {
	s := &shelf{map[string]fs.FS{}}
	for i, machine := range []string{"lathe", "loom", "press", "saw", "drill", "oven"} {
		archive, err := manual(machine, uint64(i))
		if err != nil {
			log.Fatal(err)
		}
		if err := s.add(machine, archive); err != nil {
			log.Fatal(err)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /manuals/{machine}/{page...}", func(w http.ResponseWriter, r *http.Request) {
		data, err := s.page(r.PathValue("machine"), r.PathValue("page"))
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, errMachine):
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(data)
	})
	service.Run(mux)
}

// manual is an archive of 160 pages.
func manual(machine string, seed uint64) ([]byte, error) {
	random := rand.New(rand.NewPCG(seed, 7))
	words := strings.Fields("the shaft turns before oil is filled in and never while a guard stands open so that no hand meets the blade when it runs down see also figure")
	var out bytes.Buffer
	packed := gzip.NewWriter(&out)
	w := tar.NewWriter(packed)
	for chapter := range 8 {
		for n := range 20 {
			var b strings.Builder
			fmt.Fprintf(&b, "<!doctype html><title>%s %d.%d</title><h1>%s, part %d</h1>", machine, chapter, n, machine, n)
			for range 30 + random.IntN(40) {
				b.WriteString("<p>")
				for range 12 {
					fmt.Fprintf(&b, "%s %d ", words[random.IntN(len(words))], random.IntN(1000))
				}
			}
			if err := w.WriteHeader(&tar.Header{Name: fmt.Sprintf("chapter%d/page%02d.html", chapter, n), Mode: 0o444, Size: int64(b.Len())}); err != nil {
				return nil, err
			}
			if _, err := io.WriteString(w, b.String()); err != nil {
				return nil, err
			}
		}
	}
	err := errors.Join(w.Close(), packed.Close())
	return out.Bytes(), err
}
