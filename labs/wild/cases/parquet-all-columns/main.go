// Rides of hired bicycles: each month is a Parquet file, and the town asks how much was ridden from a station, and what it
// brought.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"wild/service"
)

// ride is all that is known of one.
type ride struct {
	ID      int64   `parquet:"id,delta"`
	Bicycle string  `parquet:"bicycle"`
	Rider   string  `parquet:"rider"`
	From    int32   `parquet:"from"`
	To      int32   `parquet:"to"`
	Begun   int64   `parquet:"begun,delta"`
	Ended   int64   `parquet:"ended,delta"`
	Metres  int32   `parquet:"metres"`
	Cents   int32   `parquet:"cents"`
	Tariff  string  `parquet:"tariff,dict"`
	Weather string  `parquet:"weather,dict"`
	Battery float64 `parquet:"battery"`
	Track   string  `parquet:"track,snappy"`
	Remarks string  `parquet:"remarks,snappy"`
}

// fare is what is needed for the town.
type fare struct {
	From   int32 `parquet:"from"`
	Metres int32 `parquet:"metres"`
	Cents  int32 `parquet:"cents"`
}

const months, rides = 12, 1500

// town has a file for each month.
type town struct{ months [months]*parquet.File }

func open(dir string) (*town, error) {
	t := &town{}
	for m := range t.months {
		all := make([]ride, rides)
		for i := range all {
			n := int64(m*rides + i)
			all[i] = ride{n, fmt.Sprint("bicycle ", n*7%900), fmt.Sprint("rider ", n*31%5000), int32(n * 13 % 60), int32(n * 17 % 60), n * 60, n*60 + 900, int32(n * 71 % 9000),
				int32(n*37%700 + 100), []string{"day", "hour", "member"}[n%3], []string{"sun", "rain"}[n%2], float64(n%100) / 100,
				string(bytes.Repeat([]byte(strconv.FormatInt(n*7919, 36)), 60)), fmt.Sprint("no remarks of ", n)}
		}
		path := filepath.Join(dir, strconv.Itoa(m+1)+".parquet")
		if err := parquet.WriteFile(path, all); err != nil {
			return nil, err
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		info, err := f.Stat()
		if err != nil {
			return nil, err
		}
		if t.months[m], err = parquet.OpenFile(f, info.Size()); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// total is that of a station in a month.
type total struct {
	Station int32 `json:"station"`
	Rides   int   `json:"rides"`
	Metres  int   `json:"metres"`
	Cents   int   `json:"cents"`
}

func (t *total) add(from, metres, cents int32) {
	if from == t.Station {
		t.Rides++
		t.Metres += int(metres)
		t.Cents += int(cents)
	}
}

// each reads the rows of a file into what T has of them.
func each[T any](f *parquet.File, do func(*T)) error {
	r := parquet.NewGenericReader[T](f)
	defer r.Close()
	rows := make([]T, 256)
	for {
		n, err := r.Read(rows)
		for i := range rows[:n] {
			do(&rows[i])
		}
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func (t *town) ridden(month int, station int32) (out total, err error) {
	out.Station = station
	if service.After() {
		return out, each(t.months[month], func(f *fare) { out.add(f.From, f.Metres, f.Cents) })
	}
	return out, each(t.months[month], func(r *ride) { out.add(r.From, r.Metres, r.Cents) })
}

func main() {
	dir, err := os.MkdirTemp("", "rides")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	t, err := open(dir)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /months/{month}/stations/{station}", func(w http.ResponseWriter, r *http.Request) {
		month, err := strconv.Atoi(r.PathValue("month"))
		station, errStation := strconv.Atoi(r.PathValue("station"))
		if err != nil || errStation != nil || month < 1 || month > months {
			http.Error(w, "months are 1 to 12, and stations have numbers", http.StatusBadRequest)
			return
		}
		out, err := t.ridden(month-1, int32(station))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(mux)
}
