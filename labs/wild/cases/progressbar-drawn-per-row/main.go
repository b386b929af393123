// Uploads of meter readings: each upload is some dozens of rows of CSV, of which the sums are kept, and a bar in the service's log shows how
// far each upload is.
package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/schollz/progressbar/v3"

	"wild/service"
)

// utility has sums by meter.
type utility struct {
	log *os.File

	mu   sync.Mutex
	sums map[string]float64
}

// bar shows how far an upload is.
func (u *utility) bar(name string) *progressbar.ProgressBar {
	if service.After() {
		return progressbar.NewOptions(-1, progressbar.OptionSetWriter(u.log), progressbar.OptionSetDescription(name),
			progressbar.OptionShowCount(), progressbar.OptionThrottle(100e6))
	}
	return progressbar.NewOptions(-1, progressbar.OptionSetWriter(u.log), progressbar.OptionSetDescription(name), progressbar.OptionShowCount())
}

// load adds the rows of an upload to the sums.
func (u *utility) load(name string, from io.Reader) (int, error) {
	bar := u.bar(name)
	sums := map[string]float64{}
	in := csv.NewReader(from)
	in.ReuseRecord = true
	rows := 0
	for ; ; rows++ {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return rows, err
		}
		if len(row) != 2 {
			return rows, errors.New("a row is a meter and what it reads")
		}
		kwh, err := strconv.ParseFloat(row[1], 64)
		if err != nil {
			return rows, err
		}
		sums[row[0]] += kwh
		if err := bar.Add(1); err != nil {
			return rows, err
		}
	}
	u.mu.Lock()
	for meter, kwh := range sums {
		u.sums[meter] += kwh
	}
	u.mu.Unlock()
	return rows, bar.Finish()
}

func (u *utility) serve(w http.ResponseWriter, r *http.Request) {
	rows, err := u.load(r.PathValue("district"), http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		http.Error(w, fmt.Sprintf("row %d: %v", rows+1, err), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]int{"rows": rows})
}

func main() {
	dir, err := os.MkdirTemp("", "utility-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	f, err := os.OpenFile(filepath.Join(dir, "uploads.log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		log.Fatal(err)
	}
	u := &utility{log: f, sums: map[string]float64{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /districts/{district}/readings", u.serve)
	service.Run(mux)
}
