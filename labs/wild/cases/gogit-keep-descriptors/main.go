// Files of a repository: for a path and a revision a request answers with what is in it, or with the folder, as a
// page of a forge does. The repository is packed, and is read with a small cache of objects.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"

	"wild/service"
)

// entry is one of a folder.
type entry struct {
	Name string `json:"name"`
	Dir  bool   `json:"dir,omitempty"`
	Size int64  `json:"size"`
}

// page is what is answered.
type page struct {
	Revision string  `json:"revision"`
	Path     string  `json:"path"`
	Author   string  `json:"author"`
	Entries  []entry `json:"entries,omitempty"`
	Text     string  `json:"text,omitempty"`
	Lines    int     `json:"lines,omitempty"`
}

// forge is a repository that is open. It is for one request at a time.
type forge struct{ repo *git.Repository }

// forges are as many as requests are served at once.
type forges chan *forge

func openAll(dir string, n int) (forges, error) {
	all := make(forges, n)
	for range n {
		f, err := open(dir)
		if err != nil {
			return nil, err
		}
		all <- f
	}
	return all, nil
}

func (all forges) page(revision, path string) (*page, error) {
	f := <-all
	defer func() { all <- f }()
	return f.page(revision, path)
}

func open(dir string) (*forge, error) {
	options := filesystem.Options{ExclusiveAccess: true, KeepDescriptors: service.After()}
	// 64 KiB: there are many repositories, and each has a cache.
	store := filesystem.NewStorageWithOptions(osfs.New(dir), cache.NewObjectLRU(64*cache.KiByte), options)
	repo, err := git.Open(store, nil)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", dir, err)
	}
	return &forge{repo}, nil
}

func (f *forge) page(revision, path string) (*page, error) {
	hash, err := f.repo.ResolveRevision(plumbing.Revision(revision))
	if err != nil {
		return nil, fmt.Errorf("revision %s: %w", revision, err)
	}
	commit, err := f.repo.CommitObject(*hash)
	if err != nil {
		return nil, err
	}
	tree, err := commit.Tree()
	if err != nil {
		return nil, err
	}
	p := &page{Revision: hash.String(), Path: path, Author: commit.Author.Name}
	if path != "" {
		file, err := tree.File(path)
		if err == nil {
			if p.Text, err = file.Contents(); err != nil {
				return nil, err
			}
			p.Lines = strings.Count(p.Text, "\n")
			return p, nil
		}
		if tree, err = tree.Tree(path); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	for _, e := range tree.Entries {
		size := int64(0)
		if e.Mode.IsFile() {
			if size, err = tree.Size(e.Name); err != nil {
				return nil, err
			}
		}
		p.Entries = append(p.Entries, entry{e.Name, !e.Mode.IsFile(), size})
	}
	return p, nil
}

func main() {
	dir, err := os.MkdirTemp("", "forge-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := fill(dir); err != nil {
		log.Fatal(err)
	}
	all, err := openAll(filepath.Join(dir, ".git"), 32)
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /{revision}/{path...}", func(w http.ResponseWriter, r *http.Request) {
		p, err := all.page(r.PathValue("revision"), r.PathValue("path"))
		switch {
		case errors.Is(err, plumbing.ErrReferenceNotFound), errors.Is(err, object.ErrDirectoryNotFound):
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(p)
	})
	service.Run(http.DefaultServeMux)
}

// fill writes a repository of some folders and revisions, and packs it.
func fill(dir string) error {
	repo, err := git.PlainInit(dir, false)
	if err != nil {
		return err
	}
	tree, err := repo.Worktree()
	if err != nil {
		return err
	}
	for revision := range 6 {
		for i := range 24 {
			if revision > 0 && (i+revision)%4 != 0 {
				continue
			}
			name := filepath.Join(dir, fmt.Sprintf("cmd%d", i%3), fmt.Sprintf("file%02d.go", i))
			if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
				return err
			}
			if err := os.WriteFile(name, []byte(source(i, revision)), 0o600); err != nil {
				return err
			}
		}
		if err := tree.AddGlob("."); err != nil {
			return err
		}
		who := &object.Signature{Name: fmt.Sprint("author ", revision%3), Email: "a@example.org", When: time.Unix(int64(1790000000+revision*3600), 0)}
		hash, err := tree.Commit(fmt.Sprint("change ", revision), &git.CommitOptions{Author: who})
		if err != nil {
			return err
		}
		if _, err := repo.CreateTag(fmt.Sprint("v", revision), hash, nil); err != nil {
			return err
		}
	}
	return repo.RepackObjects(&git.RepackConfig{})
}

func source(file, revision int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package cmd\n\n// revision %d\n", revision)
	for i := range 20 + file {
		fmt.Fprintf(&b, "func step%d_%d(in int) int { return in*%d + %d }\n", file, i, i*7919%97, (i*31+revision)%53)
	}
	return b.String()
}
