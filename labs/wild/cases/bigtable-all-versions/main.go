// Where trams are: each tram writes its place and how full it is to a row of its own in Bigtable, again and again, and a phone asks
// for where a tram is now. Most trams write at stops; those of the newest kind write each second. Bigtable is a process of its own.
package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net/http"
	"os"
	"time"

	"cloud.google.com/go/bigtable"
	"cloud.google.com/go/bigtable/bttest"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"wild/service"
)

const (
	project, instance, table = "city", "trams", "places"
	family                   = "p"
)

var errNoTram = errors.New("no such tram")

// place is where a tram is.
type place struct {
	Tram   string    `json:"tram"`
	North  float64   `json:"north"`
	East   float64   `json:"east"`
	Riders int       `json:"riders"`
	At     time.Time `json:"at"`
}

// trams asks for places.
type trams struct{ places *bigtable.Table }

// plain are the options for a Bigtable that is near and asks for no password.
func plain(address string) ([]option.ClientOption, error) {
	conn, err := grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	return []option.ClientOption{option.WithGRPCConn(conn)}, err
}

func open(ctx context.Context, address string) (*trams, error) {
	options, err := plain(address)
	if err != nil {
		return nil, err
	}
	client, err := bigtable.NewClientWithConfig(ctx, project, instance, bigtable.ClientConfig{MetricsProvider: bigtable.NoopMetricsProvider{}}, options...)
	if err != nil {
		return nil, err
	}
	return &trams{client.Open(table)}, nil
}

// number reads the newest value of a column; a row has the newest first.
func number(row bigtable.Row, column string) (float64, bigtable.Timestamp) {
	for _, cell := range row[family] {
		if cell.Column == family+":"+column && len(cell.Value) == 8 {
			return math.Float64frombits(binary.BigEndian.Uint64(cell.Value)), cell.Timestamp
		}
	}
	return 0, 0
}

// now is where a tram is.
func (t *trams) now(ctx context.Context, tram string) (*place, error) {
	var options []bigtable.ReadOption
	if service.After() {
		options = append(options, bigtable.RowFilter(bigtable.LatestNFilter(1)))
	}
	row, err := t.places.ReadRow(ctx, "tram#"+tram, options...)
	if err != nil {
		return nil, err
	}
	if len(row) == 0 {
		return nil, errNoTram
	}
	out := &place{Tram: tram}
	var at bigtable.Timestamp
	out.North, at = number(row, "north")
	out.East, _ = number(row, "east")
	riders, _ := number(row, "riders")
	out.Riders, out.At = int(riders), at.Time().UTC()
	return out, nil
}

func (t *trams) serve(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 10*time.Second)
	defer cancel()
	out, err := t.now(ctx, r.PathValue("tram"))
	switch {
	case errors.Is(err, errNoTram):
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	ctx := context.Background()
	if os.Getenv("ROLE") == "bigtable" {
		serveBigtable(ctx)
		return
	}
	t, err := open(ctx, service.Beside("bigtable"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /trams/{tram}", t.serve)
	service.Run(mux)
}

// fill writes where trams were in the last minutes.
func fill(ctx context.Context, address string) error {
	options, err := plain(address)
	if err != nil {
		return err
	}
	admin, err := bigtable.NewAdminClient(ctx, project, instance, options...)
	if err != nil {
		return err
	}
	if err := admin.CreateTable(ctx, table); err != nil {
		return err
	}
	if err := admin.CreateColumnFamily(ctx, table, family); err != nil {
		return err
	}
	t, err := open(ctx, address)
	if err != nil {
		return err
	}
	start := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	for tram := range 40 {
		m := bigtable.NewMutation()
		places, every := 30+tram, 2*time.Minute
		if tram >= 38 {
			places, every = 3600, time.Second
		}
		for k := range places {
			at := bigtable.Time(start.Add(time.Duration(k) * every))
			for column, v := range map[string]float64{
				"north": 59.9 + float64(tram)/900 + float64(k)/9000, "east": 10.7 + float64(k)/7000, "riders": float64((tram*13 + k) % 120),
			} {
				m.Set(family, column, at, binary.BigEndian.AppendUint64(nil, math.Float64bits(v)))
			}
		}
		if err := t.places.Apply(ctx, fmt.Sprintf("tram#%d", tram), m); err != nil {
			return err
		}
	}
	return nil
}

func serveBigtable(ctx context.Context) {
	srv, err := bttest.NewServer("127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	if err := fill(ctx, srv.Addr); err != nil {
		log.Fatal(err)
	}
	fmt.Println(srv.Addr)
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
