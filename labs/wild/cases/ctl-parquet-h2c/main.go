// Sums over rides: a Parquet file, which is in memory, is read for each question, only the columns and the
// row groups that the question needs. It is served over HTTP/2 without TLS, and over HTTP/1.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"wild/service"
)

const (
	months = 6
	rides  = 4000 // of a month
)

// ride is a row.
type ride struct {
	Month  int32  `parquet:"month"`
	Zone   int32  `parquet:"zone"`
	Meters int64  `parquet:"meters"`
	Cents  int64  `parquet:"cents"`
	Note   string `parquet:"note,dict"`
}

// archive is the file, with a row group a month.
type archive struct{ file *parquet.File }

func newArchive() (*archive, error) {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[ride](&b)
	for m := range months {
		var rows []ride
		for i := range rides {
			rows = append(rows, ride{int32(m), int32(i * 7 % 40), int64(500 + i*37%9000), int64(300 + i*13%4000), []string{"", "card", "cash"}[i%3]})
		}
		if _, err := w.Write(rows); err != nil {
			return nil, err
		}
		if err := w.Flush(); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		return nil, err
	}
	return &archive{f}, nil
}

// column reads the numbers of a column of a row group into out.
func column(g parquet.RowGroup, name string, out []int64) ([]int64, error) {
	leaf, ok := g.Schema().Lookup(name)
	if !ok {
		return nil, fmt.Errorf("no column %s", name)
	}
	pages := g.ColumnChunks()[leaf.ColumnIndex].Pages()
	defer pages.Close()
	var values [512]parquet.Value
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		for from := page.Values(); ; {
			n, err := from.ReadValues(values[:])
			for _, v := range values[:n] {
				if v.Kind() == parquet.Int32 {
					out = append(out, int64(v.Int32()))
				} else {
					out = append(out, v.Int64())
				}
			}
			if errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, fmt.Errorf("read %s: %w", name, err)
			}
		}
		parquet.Release(page)
	}
}

// total is the answer.
type total struct {
	Month int   `json:"month"`
	Zone  int   `json:"zone"`
	Rides int   `json:"rides"`
	Cents int64 `json:"cents"`
}

var errUnknown = errors.New("no such month")

func (a *archive) total(month, zone int) (*total, error) {
	groups := a.file.RowGroups()
	if month < 0 || month >= len(groups) {
		return nil, fmt.Errorf("%d: %w", month, errUnknown)
	}
	zones, err := column(groups[month], "zone", make([]int64, 0, rides))
	if err != nil {
		return nil, err
	}
	cents, err := column(groups[month], "cents", make([]int64, 0, rides))
	if err != nil {
		return nil, err
	}
	t := &total{Month: month, Zone: zone}
	for i, z := range zones {
		if z == int64(zone) {
			t.Rides++
			t.Cents += cents[i]
		}
	}
	return t, nil
}

func main() {
	a, err := newArchive()
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /months/{month}/zones/{zone}", func(w http.ResponseWriter, r *http.Request) {
		month, err1 := strconv.Atoi(r.PathValue("month"))
		zone, err2 := strconv.Atoi(r.PathValue("zone"))
		if err := errors.Join(err1, err2); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		t, err := a.total(month, zone)
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(t)
	})
	srv := &http.Server{Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Close()
}
