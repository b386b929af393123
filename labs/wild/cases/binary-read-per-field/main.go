// A logbook of vehicles: a trip is kept as the recorder sends it, a head and a row of fixes in a
// binary format, and a request asks for its summary: how far, how fast, where it stood.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net/http"
	"time"

	"wild/service"
)

const (
	magic   = 0x54524950
	fixSize = 24
	most    = 100_000 // fixes
)

// header precedes the fixes.
type header struct {
	Magic   uint32
	Vehicle uint32
	Count   uint32
}

// fix is where a vehicle was: degrees by ten millions, metres, km/h by a hundred.
type fix struct {
	At     uint64 // milliseconds
	Lat    int32
	Lon    int32
	Height int16
	Speed  uint16
	Course uint16
	Flags  uint16
}

// decode reads a trip.
func decode(b []byte) (header, []fix, error) {
	if service.After() {
		return decodeBytes(b)
	}
	r := bytes.NewReader(b)
	var h header
	if err := fields(r, &h.Magic, &h.Vehicle, &h.Count); err != nil {
		return h, nil, err
	}
	if h.Magic != magic || h.Count > most {
		return h, nil, errors.New("not a trip")
	}
	fixes := make([]fix, h.Count)
	for i := range fixes {
		f := &fixes[i]
		if err := fields(r, &f.At, &f.Lat, &f.Lon, &f.Height, &f.Speed, &f.Course, &f.Flags); err != nil {
			return h, nil, fmt.Errorf("fix %d: %w", i, err)
		}
	}
	return h, fixes, nil
}

func fields(r io.Reader, to ...any) error {
	for _, v := range to {
		if err := binary.Read(r, binary.BigEndian, v); err != nil {
			return err
		}
	}
	return nil
}

// decodeBytes reads a trip with its layout written out.
func decodeBytes(b []byte) (header, []fix, error) {
	if len(b) < 12 {
		return header{}, nil, io.ErrUnexpectedEOF
	}
	e := binary.BigEndian
	h := header{e.Uint32(b), e.Uint32(b[4:]), e.Uint32(b[8:])}
	b = b[12:]
	if h.Magic != magic || h.Count > most || len(b) < int(h.Count)*fixSize {
		return h, nil, errors.New("not a trip")
	}
	fixes := make([]fix, h.Count)
	for i := range fixes {
		p := b[i*fixSize : (i+1)*fixSize]
		fixes[i] = fix{
			e.Uint64(p), int32(e.Uint32(p[8:])), int32(e.Uint32(p[12:])), int16(e.Uint16(p[16:])), e.Uint16(p[18:]), e.Uint16(p[20:]), e.Uint16(p[22:]),
		}
	}
	return h, fixes, nil
}

// summary is what is told of a trip.
type summary struct {
	Vehicle uint32        `json:"vehicle"`
	Start   time.Time     `json:"start"`
	Lasts   time.Duration `json:"lasts"`
	Metres  float64       `json:"metres"`
	Fastest float64       `json:"fastest"`
	Stops   int           `json:"stops"`
	Climb   int           `json:"climb"`
}

func summarize(h header, fixes []fix) summary {
	s := summary{Vehicle: h.Vehicle, Start: time.UnixMilli(int64(fixes[0].At)).UTC()}
	s.Lasts = time.Duration(fixes[len(fixes)-1].At-fixes[0].At) * time.Millisecond
	standing := false
	for i := 1; i < len(fixes); i++ {
		a, b := fixes[i-1], fixes[i]
		s.Metres += between(a, b)
		s.Fastest = max(s.Fastest, float64(b.Speed)/100)
		s.Climb += max(0, int(b.Height)-int(a.Height))
		if stands := b.Speed < 50; stands != standing {
			if standing = stands; stands {
				s.Stops++
			}
		}
	}
	return s
}

// between is the way from one fix to the next, as if the earth were flat there.
func between(a, b fix) float64 {
	const metre = 111_195 / 1e7
	y := float64(b.Lat-a.Lat) * metre
	x := float64(b.Lon-a.Lon) * metre * math.Cos(float64(a.Lat)/1e7*math.Pi/180)
	return math.Hypot(x, y)
}

// record makes a trip as a recorder would send it.
func record(vehicle int) ([]byte, error) {
	var b bytes.Buffer
	n := 600 + 100*vehicle
	if err := binary.Write(&b, binary.BigEndian, header{magic, uint32(vehicle), uint32(n)}); err != nil {
		return nil, err
	}
	f := fix{At: 1_760_000_000_000, Lat: 591_234_567, Lon: 181_234_567}
	for i := range n {
		f.At += 1000
		f.Speed = uint16(max(0, 5000*math.Sin(float64(i)/40)))
		f.Lat += int32(f.Speed) / 9
		f.Lon += int32(f.Speed) / 7
		f.Height = int16(20 + 5*math.Cos(float64(i)/60))
		if err := binary.Write(&b, binary.BigEndian, f); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

func main() {
	trips := map[string][]byte{}
	for v := range 5 {
		b, err := record(v)
		if err != nil {
			log.Fatal(err)
		}
		trips[fmt.Sprint("t-", v)] = b
	}
	http.HandleFunc("/summary", func(w http.ResponseWriter, r *http.Request) {
		b, ok := trips[r.URL.Query().Get("trip")]
		if !ok {
			http.Error(w, "no such trip", http.StatusNotFound)
			return
		}
		h, fixes, err := decode(b)
		if err != nil || len(fixes) == 0 {
			http.Error(w, fmt.Sprint("trip: ", err), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(summarize(h, fixes))
	})
	service.Run(http.DefaultServeMux)
}
