// Fares of a railway: what a journey costs is said in Starlark, by the railway's fares office, and is computed for each
// journey that is asked for. The script is compiled and run at the start; a journey calls a function of it.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"wild/service"
)

const script = `
zones = {"north": 120, "south": 110, "lake": 150, "hills": 170, "city": 90}
cards = {"": 100, "half": 50, "youth": 65, "senior": 70}

def leg(kind, km, zone):
    base = zones[zone] + km * (18 if kind == "fast" else 13)
    if km > 80:
        base -= (km - 80) * 4
    return base

def supplement(hour, day):
    if day in ("sat", "sun"):
        return 90
    return 112 if hour in range(6, 9) or hour in range(16, 19) else 100

def fare(legs, card, hour, day, bikes):
    total = 0
    last = None
    for l in legs:
        total += leg(l["kind"], l["km"], l["zone"])
        if last != None and last != l["zone"]:
            total += 40
        last = l["zone"]
    total = total * cards[card] // 100 * supplement(hour, day) // 100
    steps = sorted([total // 10 * 10, total, total + bikes * 350])
    return max(steps[-1], 200)
`

// journey is what is asked.
type journey struct {
	Legs []struct {
		Kind string `json:"kind"`
		Km   int    `json:"km"`
		Zone string `json:"zone"`
	} `json:"legs"`
	Card  string `json:"card"`
	Hour  int    `json:"hour"`
	Day   string `json:"day"`
	Bikes int    `json:"bikes"`
}

// fares are frozen, so that all may use them at once.
type fares struct{ fare starlark.Value }

func open() (*fares, error) {
	globals, err := starlark.ExecFileOptions(&syntax.FileOptions{}, &starlark.Thread{Name: "start"}, "fares.star", script, nil)
	if err != nil {
		return nil, err
	}
	globals.Freeze()
	return &fares{globals["fare"]}, nil
}

var errJourney = errors.New("not a journey")

// cents is what a journey costs.
func (f *fares) cents(j journey) (int, error) {
	if len(j.Legs) == 0 || len(j.Legs) > 20 {
		return 0, errJourney
	}
	legs := make([]starlark.Value, len(j.Legs))
	for i, l := range j.Legs {
		d := starlark.NewDict(3)
		d.SetKey(starlark.String("kind"), starlark.String(l.Kind))
		d.SetKey(starlark.String("km"), starlark.MakeInt(l.Km))
		d.SetKey(starlark.String("zone"), starlark.String(l.Zone))
		legs[i] = d
	}
	thread := &starlark.Thread{Name: "journey"}
	thread.SetMaxExecutionSteps(100000)
	out, err := starlark.Call(thread, f.fare, starlark.Tuple{
		starlark.NewList(legs), starlark.String(j.Card), starlark.MakeInt(j.Hour), starlark.String(j.Day), starlark.MakeInt(j.Bikes),
	}, nil)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", errJourney, err)
	}
	return starlark.AsInt32(out)
}

func main() {
	f, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /fares", func(w http.ResponseWriter, r *http.Request) {
		var j journey
		if err := json.NewDecoder(r.Body).Decode(&j); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		cents, err := f.cents(j)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]int{"cents": cents})
	})
	service.Run(mux)
}
