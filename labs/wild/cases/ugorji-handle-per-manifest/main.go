// Manifests of freight trains: each is kept as MessagePack, as the yards send it, and dispatchers ask what comes to a yard.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"time"

	"github.com/ugorji/go/codec"

	"wild/service"
)

// manifest is what a train carries.
type manifest struct {
	Train    string    `codec:"train"`
	Departed time.Time `codec:"departed"`
	Route    []stop    `codec:"route"`
	Wagons   []wagon   `codec:"wagons"`
	Crew     crew      `codec:"crew"`
}

type stop struct {
	Yard  string `codec:"yard"`
	Track int    `codec:"track"`
	Due   int64  `codec:"due"`
}

type crew struct {
	Driver string   `codec:"driver"`
	Hours  float64  `codec:"hours"`
	Speaks []string `codec:"speaks"`
}

type wagon struct {
	Number string            `codec:"number"`
	Axles  int               `codec:"axles"`
	Load   *load             `codec:"load,omitempty"`
	Brakes brakes            `codec:"brakes"`
	Marks  map[string]string `codec:"marks,omitempty"`
}

type load struct {
	Goods  string  `codec:"goods"`
	Tonnes float64 `codec:"tonnes"`
	Danger int     `codec:"danger,omitempty"`
}

type brakes struct {
	Kind   string `codec:"kind"`
	Weight int    `codec:"weight"`
}

// yards keeps manifests.
type yards struct {
	trains  map[string][]byte
	calling map[string][]string // the trains that come to a yard
}

var handle codec.MsgpackHandle

func (y *yards) decode(b []byte, m *manifest) error {
	if service.After() {
		return codec.NewDecoderBytes(b, &handle).Decode(m)
	}
	var handle codec.MsgpackHandle
	return codec.NewDecoderBytes(b, &handle).Decode(m)
}

func open() (*yards, error) {
	y := &yards{map[string][]byte{}, map[string][]string{}}
	goods := []string{"steel", "grain", "timber", "gas", "cars"}
	for t := range 60 {
		m := manifest{Train: fmt.Sprintf("F%d", 4000+t), Departed: time.Unix(1790000000, 0).Add(time.Duration(t) * time.Hour), Crew: crew{fmt.Sprint("driver ", t), 7.5, []string{"de", "fr"}}}
		for s := range 2 + t%2 {
			m.Route = append(m.Route, stop{fmt.Sprint("yard ", (t+s)%17), s + 1, int64(1790000000 + s*3600)})
			y.calling[m.Route[s].Yard] = append(y.calling[m.Route[s].Yard], m.Train)
		}
		for n := range 1 + t%2 {
			w := wagon{Number: fmt.Sprintf("31 80 %03d", t*7+n), Axles: 4, Brakes: brakes{"K", 58}, Marks: map[string]string{"owner": fmt.Sprint("company ", n%4)}}
			if (t+n)%4 != 3 {
				w.Load = &load{goods[(t+n)%5], float64(20 + n), n % 2}
			}
			m.Wagons = append(m.Wagons, w)
		}
		var b []byte
		if err := codec.NewEncoderBytes(&b, &handle).Encode(m); err != nil {
			return nil, err
		}
		y.trains[m.Train] = b
	}
	return y, nil
}

// aboard is what a train brings to a yard.
type aboard struct {
	Train  string  `json:"train"`
	Track  int     `json:"track"`
	Tonnes float64 `json:"tonnes"`
	Empty  int     `json:"empty"`
	Danger bool    `json:"danger"`
}

// board is what comes to a yard.
func (y *yards) board(yard string) ([]aboard, error) {
	out := []aboard{}
	for _, train := range y.calling[yard] {
		var m manifest
		if err := y.decode(y.trains[train], &m); err != nil {
			return nil, err
		}
		a := aboard{Train: m.Train}
		for _, s := range m.Route {
			if s.Yard == yard {
				a.Track = s.Track
			}
		}
		for _, w := range m.Wagons {
			if w.Load == nil {
				a.Empty++
				continue
			}
			a.Tonnes += w.Load.Tonnes
			a.Danger = a.Danger || w.Load.Danger > 0
		}
		out = append(out, a)
	}
	return out, nil
}

func main() {
	y, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /yards/{yard}/board", func(w http.ResponseWriter, r *http.Request) {
		out, err := y.board("yard " + r.PathValue("yard"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(mux)
}
