// Readings of sensors, a file for each day that was compressed with xz: a request opens the
// day's file, reads it through and answers with the mean of each sensor.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ulikunitz/xz"

	"wild/service"
)

const (
	days     = 12
	readings = 500
	sensors  = 8
)

type archive struct {
	dir  string
	open func(f *os.File) (io.Reader, error)
}

func (a *archive) means(day string) (map[string]float64, error) {
	f, err := os.Open(filepath.Join(a.dir, filepath.Base(day)))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := a.open(f)
	if err != nil {
		return nil, err
	}
	sums, counts := make(map[string]float64), make(map[string]int)
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		name, text, _ := strings.Cut(lines.Text(), ",")
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, err
		}
		sums[name] += v
		counts[name]++
	}
	for name := range sums {
		sums[name] = math.Round(100*sums[name]/float64(counts[name])) / 100
	}
	return sums, lines.Err()
}

func main() {
	dir, err := os.MkdirTemp("", "readings-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for i := range days {
		if err := record(filepath.Join(dir, fmt.Sprintf("day-%d.xz", i)), uint64(i)); err != nil {
			log.Fatal(err)
		}
	}
	a := &archive{dir: dir, open: func(f *os.File) (io.Reader, error) { return xz.NewReader(f) }}
	if service.After() {
		a.open = func(f *os.File) (io.Reader, error) { return xz.NewReader(bufio.NewReader(f)) }
	}
	http.HandleFunc("/means", func(w http.ResponseWriter, r *http.Request) {
		means, err := a.means(r.URL.Query().Get("day") + ".xz")
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(means)
	})
	service.Run(http.DefaultServeMux)
}

// record writes the file of a day.
func record(path string, seed uint64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := xz.WriterConfig{DictCap: 64 << 10}.NewWriter(f)
	if err != nil {
		return err
	}
	rnd := rand.New(rand.NewPCG(seed, 1))
	for i := range readings {
		fmt.Fprintf(z, "boiler-%d,%.2f\n", i%sensors, 60+10*rnd.NormFloat64())
	}
	return z.Close()
}
