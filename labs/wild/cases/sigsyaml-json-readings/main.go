// Readings of a water company: wells send what they measured as JSON, a hundred times as often as some are written in YAML by hand.
package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sync/atomic"

	"sigs.k8s.io/yaml"

	"wild/service"
)

// report is what a well sends.
type report struct {
	Well     string    `json:"well"`
	Keeper   string    `json:"keeper"`
	Readings []reading `json:"readings"`
}

type reading struct {
	At       string            `json:"at"`
	LevelCM  float64           `json:"level_cm"`
	FlowLS   float64           `json:"flow_ls"`
	Chlorine float64           `json:"chlorine"`
	Marks    map[string]string `json:"marks"`
}

// company counts what it got.
type company struct{ reports, readings atomic.Int64 }

// decode reads a report, in either form.
func decode(body []byte) (report, error) {
	var r report
	if service.After() && bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("{")) {
		return r, json.Unmarshal(body, &r)
	}
	return r, yaml.Unmarshal(body, &r)
}

func (c *company) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 256<<10))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	rep, err := decode(body)
	if err != nil || rep.Well == "" {
		http.Error(w, "that is no report", http.StatusBadRequest)
		return
	}
	lowest := 0.0
	for i, m := range rep.Readings {
		if i == 0 || m.LevelCM < lowest {
			lowest = m.LevelCM
		}
	}
	c.readings.Add(int64(len(rep.Readings)))
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"number": c.reports.Add(1), "well": rep.Well, "lowest_cm": lowest})
}

func main() {
	c := &company{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /reports", c.serve)
	service.Run(mux)
}
