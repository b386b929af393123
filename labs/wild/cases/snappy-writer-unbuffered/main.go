// Diagnostics of delivery vans: a van posts what it recorded since its last stop, and the lines are kept in a spool
// file of the day, compressed, where the analysts fetch them at night. The answer is what to look after.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/golang/snappy"

	"wild/service"
)

// reading is one of a van.
type reading struct {
	at    int64
	part  string
	value float64
}

// parse reads lines of a time, a part and a value.
func parse(body io.Reader) ([]reading, error) {
	all := make([]reading, 0, 256)
	lines := bufio.NewScanner(body)
	for lines.Scan() {
		at, rest, _ := strings.Cut(lines.Text(), " ")
		part, value, _ := strings.Cut(rest, " ")
		t, err := strconv.ParseInt(at, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(all)+1, err)
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(all)+1, err)
		}
		all = append(all, reading{t, part, v})
	}
	return all, lines.Err()
}

// limits are what a part may have.
var limits = map[string]float64{"oil": 110, "coolant": 105, "brake-fl": 300, "brake-fr": 300, "battery": 60}

// spool is where readings go.
type spool struct{ dir string }

// writer compresses into a file.
type writer interface {
	io.Writer
	Close() error
}

func compress(f *os.File) writer {
	if service.After() {
		return snappy.NewBufferedWriter(f)
	}
	return snappy.NewWriter(f)
}

func (s spool) keep(van string, all []reading) (err error) {
	f, err := os.OpenFile(filepath.Join(s.dir, van+".sz"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	// A stream of its own for each post: readers take several of them in a row.
	w := compress(f)
	line := make([]byte, 0, 96)
	for _, r := range all {
		line = append(line[:0], van...)
		line = append(line, '\t')
		line = strconv.AppendInt(line, r.at, 10)
		line = append(line, '\t')
		line = append(line, r.part...)
		line = append(line, '\t')
		line = strconv.AppendFloat(line, r.value, 'f', 2, 64)
		line = append(line, '\n')
		if _, err := w.Write(line); err != nil {
			return fmt.Errorf("spool of %s: %w", van, err)
		}
	}
	return w.Close()
}

// hint is what the garage should look at.
type hint struct {
	Part string  `json:"part"`
	Peak float64 `json:"peak"`
	N    int     `json:"n"`
}

func check(all []reading) map[string]*hint {
	out := map[string]*hint{}
	for _, r := range all {
		limit, ok := limits[r.part]
		if !ok || r.value < limit {
			continue
		}
		h, ok := out[r.part]
		if !ok {
			h = &hint{Part: r.part}
			out[r.part] = h
		}
		h.Peak, h.N = max(h.Peak, r.value), h.N+1
	}
	return out
}

func main() {
	dir, err := os.MkdirTemp("", "vans-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s := spool{dir}
	http.HandleFunc("POST /vans/{van}/readings", func(w http.ResponseWriter, r *http.Request) {
		all, err := parse(io.LimitReader(r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		van := r.PathValue("van")
		if len(van) > 16 || filepath.Base(van) != van {
			http.Error(w, "no such van", http.StatusNotFound)
			return
		}
		if err := s.keep(van, all); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(check(all))
	})
	service.Run(http.DefaultServeMux)
}
