// The handbook of a product: a release of it is a zip archive, which is served as it is, release by release, with a
// list of what is in it.
package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/spf13/afero"
	"github.com/spf13/afero/zipfs"

	"wild/service"
)

// release is a handbook.
type release struct {
	files   afero.Fs
	entries []entry
}

// entry is a file, as the list says it.
type entry struct {
	Name string `json:"name"`
	Size uint64 `json:"size"`
}

// open reads the directory of an archive, and what is in it when that is asked for.
func open(archive []byte) (release, error) {
	zr, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return release{}, err
	}
	files := zipfs.New(zr)
	if service.After() {
		files = afero.NewCacheOnReadFs(files, afero.NewMemMapFs(), 0)
	}
	h := release{files: files}
	for _, f := range zr.File {
		h.entries = append(h.entries, entry{f.Name, f.UncompressedSize64})
	}
	return h, nil
}

func (h release) list(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(h.entries)
}

func cached(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "public, max-age=300")
		next.ServeHTTP(w, r)
	})
}

func main() {
	r := chi.NewRouter()
	r.Use(middleware.RealIP, middleware.Recoverer, cached)
	for _, version := range []string{"v1", "v2"} {
		archive, err := handbook(version)
		if err != nil {
			log.Fatal(err)
		}
		h, err := open(archive)
		if err != nil {
			log.Fatal(err)
		}
		r.Get("/"+version+"/list", h.list)
		files := http.StripPrefix("/"+version+"/", http.FileServer(afero.NewHttpFs(h.files)))
		r.Get("/"+version+"/*", files.ServeHTTP)
	}
	service.Run(r)
}

// handbook is what the build of the handbook makes.
func handbook(version string) ([]byte, error) {
	words := strings.Fields("the pump valve opens when pressure in the second chamber rises above what the sensor of its frame was set to and closes after that by itself unless held")
	rng := rand.New(rand.NewPCG(1, uint64(len(version))))
	text := func(n int) string {
		var b strings.Builder
		for b.Len() < n {
			fmt.Fprintf(&b, "<p class=\"step\" id=\"s%d\">%s %s %d</p>\n", rng.IntN(9999), words[rng.IntN(len(words))], strings.Join(words[:rng.IntN(len(words))], " "), rng.IntN(100))
		}
		return b.String()
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	put := func(name, content string) error {
		f, err := w.Create(name)
		if err != nil {
			return err
		}
		_, err = f.Write([]byte(content))
		return err
	}
	for i := range 30 {
		if err := put(fmt.Sprintf("pages/%02d.html", i), "<!doctype html><title>"+version+"</title>\n"+text(20_000+i*2_000)); err != nil {
			return nil, err
		}
	}
	if err := put("assets/search.json", text(300_000)); err != nil {
		return nil, err
	}
	if err := put("assets/style.css", strings.Repeat(".step { margin: 1em; color: #333 }\n", 600)); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
