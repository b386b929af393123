// Tracks of runners: a watch sends where it was each few seconds, and gets how far that was, how high, and how fast each
// kilometre. It is spoken HTTP/2 without TLS, which ends before.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net/http"

	"wild/service"
)

// point is where a watch was: latitude, longitude, height, and seconds since the start.
type point [4]float64

// summary is what a watch gets.
type summary struct {
	Name   string    `json:"name"`
	Points int       `json:"points"`
	Metres float64   `json:"metres"`
	Up     float64   `json:"up"`
	Paces  []float64 `json:"paces"`
	last   point
	lap    float64
}

// add goes on to the next point.
func (s *summary) add(p point) {
	if s.Points > 0 {
		metres := distance(s.last, p)
		s.Metres += metres
		s.Up += max(0, p[2]-s.last[2])
		if s.Metres >= 1000*float64(len(s.Paces)+1) {
			s.Paces = append(s.Paces, math.Round(p[3]-s.lap))
			s.lap = p[3]
		}
	}
	s.Points++
	s.last = p
}

func distance(a, b point) float64 {
	const radius, degree = 6371000, math.Pi / 180
	lat := (b[0] - a[0]) * degree
	lon := (b[1] - a[1]) * degree * math.Cos((a[0]+b[0])/2*degree)
	return radius * math.Sqrt(lat*lat+lon*lon)
}

var errTrack = errors.New("a track has a name and points of four numbers")

// walk reads a track as it comes in.
func walk(r io.Reader) (*summary, error) {
	s := &summary{Paces: []float64{}}
	lines := json.NewDecoder(r)
	key, depth, at := "", 0, 0
	var p point
	for {
		token, err := lines.Token()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case json.Delim:
			switch t {
			case '[', '{':
				depth++
				at = 0
			case ']':
				if depth--; depth == 2 {
					if at != len(p) {
						return nil, errTrack
					}
					s.add(p)
				}
			case '}':
				depth--
			}
		case string:
			if key == "name" && depth == 1 {
				s.Name, key = t, ""
			} else {
				key = t
			}
		case float64:
			if key == "points" && depth == 3 && at < len(p) {
				p[at] = t
				at++
			}
		}
	}
}

// read reads a track that has come in.
func read(r io.Reader) (*summary, error) {
	var track struct {
		Name   string  `json:"name"`
		Points []point `json:"points"`
	}
	if err := json.NewDecoder(r).Decode(&track); err != nil {
		return nil, err
	}
	s := &summary{Name: track.Name, Paces: []float64{}}
	for _, p := range track.Points {
		s.add(p)
	}
	return s, nil
}

func summarize(r io.Reader) (*summary, error) {
	if service.After() {
		return read(r)
	}
	return walk(r)
}

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /tracks", func(w http.ResponseWriter, r *http.Request) {
		s, err := summarize(http.MaxBytesReader(w, r.Body, 4<<20))
		if err == nil && (s.Name == "" || s.Points == 0) {
			err = errTrack
		}
		if err != nil {
			http.Error(w, fmt.Sprint("track: ", err), http.StatusUnprocessableEntity)
			return
		}
		s.Metres, s.Up = math.Round(s.Metres), math.Round(s.Up)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(s)
	})
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
