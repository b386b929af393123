// Readings of heat meters for the billing office: a caretaker asks that a house's readings of a month be sent over, and gets
// how many rows the office has taken. The rows are made while they are sent, so that none has to be kept.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"wild/service"
)

// reading is a row.
type reading struct {
	House int    `json:"house"`
	Flat  int    `json:"flat"`
	Meter string `json:"meter"`
	Day   string `json:"day"`
	Units int    `json:"units"`
}

// office is where readings go.
type office struct {
	base   string
	client *http.Client
}

// rows writes the readings of a house, a row for each flat and day.
func rows(to io.Writer, house, flats int, month time.Time) error {
	enc := json.NewEncoder(to)
	for day := month; day.Month() == month.Month(); day = day.AddDate(0, 0, 1) {
		date := day.Format(time.DateOnly)
		for flat := range flats {
			row := reading{house, flat + 1, "HM-" + strconv.Itoa(house*100+flat), date, 10_000 + house*13 + flat*37 + day.Day()*(flat%7)}
			if err := enc.Encode(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// send has a house's readings taken by the office, and returns how many there were.
func (o office) send(ctx context.Context, house, flats int, month time.Time) (int, error) {
	from, to := io.Pipe()
	go func() {
		if !service.After() {
			to.CloseWithError(rows(to, house, flats, month))
			return
		}
		b := bufio.NewWriterSize(to, 32<<10)
		err := rows(b, house, flats, month)
		if err == nil {
			err = b.Flush()
		}
		to.CloseWithError(err)
	}()
	defer from.Close()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, fmt.Sprintf("%s/houses/%d", o.base, house), from)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/x-ndjson")
	resp, err := o.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("the office: %s", resp.Status)
	}
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(data))
}

func (o office) serve(w http.ResponseWriter, r *http.Request) {
	house, err := strconv.Atoi(r.PathValue("house"))
	if err != nil || house < 1 {
		http.Error(w, "no such house", http.StatusNotFound)
		return
	}
	month, err := time.Parse("2006-01", r.FormValue("month"))
	if err != nil {
		http.Error(w, "month is a year and a month", http.StatusBadRequest)
		return
	}
	taken, err := o.send(r.Context(), house, 16+house%14, month)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]int{"house": house, "taken": taken})
}

func main() {
	if os.Getenv("ROLE") == "office" {
		serveOffice()
		return
	}
	o := office{"http://" + service.Beside("office"), &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 10 * time.Second}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /houses/{house}/readings", o.serve)
	service.Run(mux)
}

// serveOffice counts the rows that it is sent.
func serveOffice() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /houses/{house}", func(w http.ResponseWriter, r *http.Request) {
		n, b := 0, make([]byte, 32<<10)
		for {
			k, err := r.Body.Read(b)
			for _, c := range b[:k] {
				if c == '\n' {
					n++
				}
			}
			if err == io.EOF {
				break
			} else if err != nil {
				return
			}
		}
		fmt.Fprint(w, n)
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
