// Prices of spare parts: the merchandise system appends to a file what costs how much from now on, and the shop's service
// reads that file again when it changes.
package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"wild/service"
)

// price is of a part.
type price struct {
	Part  string `json:"part"`
	Cents int    `json:"cents"`
	Stock int    `json:"stock"`
}

// prices are those of a file.
type prices struct {
	file    string
	now     atomic.Pointer[map[string]price]
	reloads atomic.Int64
}

// load reads the file: the last line of a part counts.
func (p *prices) load() error {
	f, err := os.Open(p.file)
	if err != nil {
		return err
	}
	defer f.Close()
	all := map[string]price{}
	r := csv.NewReader(bufio.NewReader(f))
	r.FieldsPerRecord = 3
	r.ReuseRecord = true
	for {
		row, err := r.Read()
		if err != nil {
			break // the end, or a line that is not whole yet
		}
		cents, err := strconv.Atoi(row[1])
		if err != nil {
			continue
		}
		stock, err := strconv.Atoi(row[2])
		if err != nil {
			continue
		}
		all[row[0]] = price{row[0], cents, stock}
	}
	p.now.Store(&all)
	p.reloads.Add(1)
	return nil
}

// quiet is how long the file must not have changed before it is read.
const quiet = 100 * time.Millisecond

// watch reads the file again when it was written.
func (p *prices) watch() error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	if err := w.Add(filepath.Dir(p.file)); err != nil {
		return err
	}
	go func() {
		later := time.NewTimer(time.Hour)
		for {
			select {
			case e := <-w.Events:
				if !e.Has(fsnotify.Write) || e.Name != p.file {
					continue
				}
				if service.After() {
					later.Reset(quiet)
				} else if err := p.load(); err != nil {
					log.Println(err)
				}
			case <-later.C:
				if err := p.load(); err != nil {
					log.Println(err)
				}
			case err := <-w.Errors:
				log.Println(err)
			}
		}
	}()
	return nil
}

func main() {
	if os.Getenv("ROLE") == "merchandise" {
		writePrices(os.Getenv("PRICES"))
		return
	}
	dir, err := os.MkdirTemp("", "prices")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	p := &prices{file: filepath.Join(dir, "prices.csv")}
	service.Beside("merchandise", "PRICES="+p.file)
	if err := p.load(); err != nil {
		log.Fatal(err)
	}
	if err := p.watch(); err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /parts/{part}", func(w http.ResponseWriter, r *http.Request) {
		one, ok := (*p.now.Load())[r.PathValue("part")]
		if !ok {
			http.Error(w, "no such part", http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(one)
	})
	service.Run(mux)
}

// writePrices is the merchandise system: each second it tells of a delivery, a hundred lines as it books them, into a
// file of sixty thousand.
func writePrices(file string) {
	line := func(w io.Writer, i, round int) {
		fmt.Fprintf(w, "P%05d,%d,%d\n", i, 199+i%900*10+round, (i+round)%60)
	}
	f, err := os.Create(file)
	if err != nil {
		log.Fatal(err)
	}
	b := bufio.NewWriter(f)
	for i := range 60000 {
		line(b, i, 0)
	}
	b.Flush()
	start, _ := f.Seek(0, io.SeekCurrent)
	go func() {
		for round := 1; ; round++ {
			if round%20 == 0 { // what was told is put in order at times
				f.Truncate(start)
				f.Seek(start, io.SeekStart)
			}
			for i := range 100 {
				line(f, (round*131+i*37)%60000, round)
				time.Sleep(8 * time.Millisecond)
			}
			time.Sleep(200 * time.Millisecond)
		}
	}()
	fmt.Println("ready")
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
