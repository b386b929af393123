// A viewer of the kernel's log: its lines say how long after boot they are, and each is
// shown with the time of day.
package main

import (
	"encoding/json"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/shirou/gopsutil/v4/host"

	"wild/service"
)

type line struct {
	At   string `json:"at"`
	Text string `json:"text"`
}

const page = 40 // lines

func main() {
	if service.After() {
		host.EnableBootTimeCache(true)
	}
	var seq atomic.Int64
	http.HandleFunc("/log", func(w http.ResponseWriter, r *http.Request) {
		first := seq.Add(1) % 1000
		lines := make([]line, 0, page)
		for i := range int64(page) {
			boot, err := host.BootTimeWithContext(r.Context())
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			at := time.Unix(int64(boot)+first+i, 0).UTC()
			lines = append(lines, line{At: at.Format(time.RFC3339), Text: "eth0: link is up"})
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(lines)
	})
	service.Run(http.DefaultServeMux)
}
