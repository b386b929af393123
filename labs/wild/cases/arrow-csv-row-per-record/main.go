// Readings of weather stations: each station leaves a CSV file a day, and those that analyse them ask for it as an
// Arrow stream, or for what is in it in short.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/csv"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"wild/service"
)

// schema is what a station tells.
var schema = arrow.NewSchema([]arrow.Field{
	{Name: "minute", Type: arrow.PrimitiveTypes.Int64},
	{Name: "celsius", Type: arrow.PrimitiveTypes.Float64},
	{Name: "humidity", Type: arrow.PrimitiveTypes.Float64},
	{Name: "wind", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "from", Type: arrow.BinaryTypes.String},
}, nil)

// archive has the files of a day, by station.
type archive struct{ files map[int]string }

var errStation = errors.New("no such station")

// day reads a station's file as records.
func (a *archive) day(station int) (*csv.Reader, error) {
	text, ok := a.files[station]
	if !ok {
		return nil, errStation
	}
	options := []csv.Option{csv.WithHeader(true), csv.WithNullReader(true, "", "-")}
	if service.After() {
		options = append(options, csv.WithChunk(1024))
	}
	return csv.NewReader(strings.NewReader(text), schema, options...), nil
}

// stream writes a station's day as Arrow.
func (a *archive) stream(w io.Writer, station int) error {
	r, err := a.day(station)
	if err != nil {
		return err
	}
	defer r.Release()
	out := ipc.NewWriter(w, ipc.WithSchema(schema))
	for r.Next() {
		if err := out.Write(r.RecordBatch()); err != nil {
			return fmt.Errorf("station %d: %w", station, err)
		}
	}
	return errors.Join(r.Err(), out.Close())
}

// short is a day in short.
type short struct {
	Station int     `json:"station"`
	Rows    int     `json:"rows"`
	Lowest  float64 `json:"lowest"`
	Highest float64 `json:"highest"`
	Mean    float64 `json:"mean"`
}

func (a *archive) short(station int) (short, error) {
	r, err := a.day(station)
	if err != nil {
		return short{}, err
	}
	defer r.Release()
	out := short{Station: station, Lowest: math.Inf(1), Highest: math.Inf(-1)}
	sum := 0.0
	for r.Next() {
		for _, c := range r.RecordBatch().Column(1).(*array.Float64).Float64Values() {
			out.Lowest, out.Highest = min(out.Lowest, c), max(out.Highest, c)
			sum += c
			out.Rows++
		}
	}
	out.Mean = sum / float64(max(1, out.Rows))
	return out, r.Err()
}

func main() {
	a := &archive{files: map[int]string{}}
	for station := range 40 {
		a.files[station] = file(station)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /stations/{id}/day.arrow", func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.Atoi(r.PathValue("id"))
		var out bytes.Buffer
		if err := a.stream(&out, id); err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/vnd.apache.arrow.stream")
		w.Write(out.Bytes())
	})
	mux.HandleFunc("GET /stations/{id}/day", func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.Atoi(r.PathValue("id"))
		out, err := a.short(id)
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(mux)
}

// file is a day of a station: a line every two to five minutes.
func file(station int) string {
	var b strings.Builder
	b.WriteString("minute,celsius,humidity,wind,from\n")
	for minute := 0; minute < 1440; minute += 2 + station%4 {
		wind := "-"
		if minute%7 > 0 {
			wind = strconv.FormatFloat(float64(minute%23)/2, 'f', 1, 64)
		}
		fmt.Fprintf(&b, "%d,%.2f,%.1f,%s,%s\n", minute, 9+float64(station)/8+6*math.Sin(float64(minute)/230), 55+float64((minute+station)%30), wind,
			[]string{"N", "NE", "E", "SE", "S", "SW", "W", "NW"}[(minute/60+station)%8])
	}
	return b.String()
}
