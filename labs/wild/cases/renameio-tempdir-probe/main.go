// A registry of devices that keeps the last report of each as a file, which is replaced as a whole,
// so that those that read it never see half of one. Files lie in folders by a hash of the device.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/renameio/v2"

	"wild/service"
)

const folders = 16

// report is what a device says of itself.
type report struct {
	Device   string             `json:"device"`
	Firmware string             `json:"firmware"`
	Values   map[string]float64 `json:"values"`
	Number   int64              `json:"number"`
	At       time.Time          `json:"at"`
}

type registry struct {
	dir     string
	options []renameio.Option
	number  atomic.Int64
}

func (g *registry) path(device string) string {
	h := fnv.New32a()
	h.Write([]byte(device))
	return filepath.Join(g.dir, fmt.Sprintf("%02x", h.Sum32()%folders), device+".json")
}

func (g *registry) keep(r report) error {
	b, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	f, err := renameio.NewPendingFile(g.path(r.Device), g.options...)
	if err != nil {
		return err
	}
	defer f.Cleanup()
	if _, err := f.Write(b); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

func (g *registry) last(device string) (report, error) {
	var r report
	b, err := os.ReadFile(g.path(device))
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(b, &r)
}

// check refuses reports that cannot be.
func check(r report) error {
	if r.Device == "" || strings.ContainsAny(r.Device, "/.\\") {
		return errors.New("no such device: " + r.Device)
	}
	for name, v := range r.Values {
		if v < -1e6 || v > 1e6 {
			return fmt.Errorf("%s is out of range: %g", name, v)
		}
	}
	return nil
}

func main() {
	dir, err := os.MkdirTemp("", "registry-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	g := &registry{dir: dir}
	for i := range folders {
		if err := os.Mkdir(filepath.Join(dir, fmt.Sprintf("%02x", i)), 0o700); err != nil {
			log.Fatal(err)
		}
	}
	if service.After() {
		g.options = append(g.options, renameio.WithTempDir(renameio.TempDir(dir)))
	}
	http.HandleFunc("POST /reports", func(w http.ResponseWriter, r *http.Request) {
		var in report
		if err := json.NewDecoder(io.LimitReader(r.Body, 64<<10)).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		in.Device = r.URL.Query().Get("device")
		if err := check(in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		before, err := g.last(in.Device)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		in.Number, in.At = before.Number+1, time.Now()
		if err := g.keep(in); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, in.Number)
	})
	service.Run(http.DefaultServeMux)
}
