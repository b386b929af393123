// A store of pictures in folders, by tenant and day: a request counts what a tenant has, by kind and
// by day, and names the newest.
package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"wild/service"
)

const (
	tenants = 4
	days    = 30
	files   = 24
)

var kinds = []string{".jpg", ".png", ".webp"}

// overview is what a tenant has.
type overview struct {
	Kinds  map[string]int `json:"kinds"`
	Days   map[string]int `json:"days"`
	Newest string         `json:"newest"`
}

func (o *overview) add(path string) {
	day, name := filepath.Split(path)
	day = filepath.Base(day)
	o.Kinds[filepath.Ext(name)]++
	o.Days[day]++
	o.Newest = max(o.Newest, day+"/"+name)
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") }

// count goes through the folders of a tenant.
func count(dir string) (*overview, error) {
	o := &overview{Kinds: map[string]int{}, Days: map[string]int{}}
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		if hidden(info.Name()) {
			if info.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if !info.IsDir() {
			o.add(path)
		}
		return nil
	})
	return o, err
}

// countEntries is count by what the folders say.
func countEntries(dir string) (*overview, error) {
	o := &overview{Kinds: map[string]int{}, Days: map[string]int{}}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if hidden(d.Name()) {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.IsDir() {
			o.add(path)
		}
		return nil
	})
	return o, err
}

func fill(dir string) error {
	for t := range tenants {
		for d := range days {
			folder := filepath.Join(dir, fmt.Sprint("tenant-", t), fmt.Sprintf("2026-10-%02d", d+1))
			if err := os.MkdirAll(folder, 0o700); err != nil {
				return err
			}
			for f := range files {
				name := fmt.Sprintf("img-%04d%s", f, kinds[(f+d)%len(kinds)])
				if err := os.WriteFile(filepath.Join(folder, name), []byte(name), 0o600); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func main() {
	dir, err := os.MkdirTemp("", "pictures-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := fill(dir); err != nil {
		log.Fatal(err)
	}
	overviewOf := count
	if service.After() {
		overviewOf = countEntries
	}
	http.HandleFunc("/overview", func(w http.ResponseWriter, r *http.Request) {
		tenant := r.FormValue("tenant")
		if tenant == "" || strings.ContainsAny(tenant, "/.") {
			http.NotFound(w, r)
			return
		}
		o, err := overviewOf(filepath.Join(dir, tenant))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(o)
	})
	service.Run(http.DefaultServeMux)
}
