// Wind for sailors: a boat's computer asks for the wind of an hour over a part of the sea, and gets a grid of it as an S2 stream,
// which is small enough for a slow link and quick to unpack.
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net/http"
	"strconv"
	"sync"

	"github.com/klauspost/compress/s2"

	"wild/service"
)

const (
	hours = 24
	side  = 512 // points of the sea each way, a mile apart
)

var errNoHour = errors.New("the forecast has 24 hours")

// forecast is the wind of each hour: knots from the west and from the south, in tenths.
type forecast struct{ hours [hours][]int16 }

func open() *forecast {
	f := new(forecast)
	for h := range f.hours {
		wind := make([]int16, 2*side*side)
		for y := range side {
			for x := range side {
				turn := float64(x)/90 + float64(h)/6
				wind[2*(y*side+x)] = int16(120 + 80*math.Sin(turn)*math.Cos(float64(y)/70))
				wind[2*(y*side+x)+1] = int16(40 + 60*math.Cos(turn+float64(y)/110))
			}
		}
		f.hours[h] = wind
	}
	return f
}

// writers pack answers.
var writers = sync.Pool{New: func() any { return s2.NewWriter(io.Discard) }}

// packer returns what packs an answer, and what is to be called when that is done.
func packer(w io.Writer) (*s2.Writer, func()) {
	if !service.After() {
		return s2.NewWriter(w), func() {}
	}
	s := writers.Get().(*s2.Writer)
	s.Reset(w)
	return s, func() { writers.Put(s) }
}

// write packs the part of an hour that lies around a point.
func (f *forecast) write(w io.Writer, hour, x, y, size int) error {
	if hour < 0 || hour >= hours {
		return errNoHour
	}
	x, y = max(0, min(x-size/2, side-size)), max(0, min(y-size/2, side-size))
	s, done := packer(w)
	defer done()
	line := make([]byte, 0, 4*size)
	for row := y; row < y+size; row++ {
		line = line[:0]
		for _, v := range f.hours[hour][2*(row*side+x) : 2*(row*side+x+size)] {
			line = binary.LittleEndian.AppendUint16(line, uint16(v))
		}
		if _, err := s.Write(line); err != nil {
			return err
		}
	}
	return s.Close()
}

func (f *forecast) serve(w http.ResponseWriter, r *http.Request) {
	var at [4]int
	for i, name := range []string{"hour", "x", "y", "size"} {
		n, err := strconv.Atoi(r.PathValue(name))
		if err != nil {
			http.Error(w, name+" is a number", http.StatusBadRequest)
			return
		}
		at[i] = n
	}
	if at[3] < 8 || at[3] > 128 {
		http.Error(w, "a part is 8 to 128 miles wide", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/x-s2")
	w.Header().Set("X-Grid", fmt.Sprintf("%dx%d", at[3], at[3]))
	if err := f.write(w, at[0], at[1], at[2], at[3]); errors.Is(err, errNoHour) {
		http.Error(w, err.Error(), http.StatusNotFound)
	} else if err != nil {
		log.Println(err)
	}
}

func main() {
	f := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /wind/{hour}/{x}/{y}/{size}", f.serve)
	service.Run(mux)
}
