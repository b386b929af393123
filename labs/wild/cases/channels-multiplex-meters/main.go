// Readings of electricity meters. Each meter has a channel of its own, in which its readings
// keep their order; the channels are led together to the one that keeps the totals, and a reading
// is answered when it has been booked.
package main

import (
	"encoding/json"
	"net/http"

	"github.com/eapache/channels"

	"wild/service"
)

const meters = 1500

type reading struct {
	Meter int   `json:"meter"`
	Watts []int `json:"watts"`

	booked chan total
}

type total struct {
	Meter    int     `json:"meter"`
	Readings int     `json:"readings"`
	Sum      int     `json:"sum"`
	Peak     int     `json:"peak"`
	Mean     float64 `json:"mean"`
}

func main() {
	lines := make([]channels.SimpleOutChannel, meters)
	in := make([]channels.NativeChannel, meters)
	for i := range lines {
		in[i] = channels.NewNativeChannel(4)
		lines[i] = in[i]
	}
	all := channels.NewNativeChannel(64)
	join(all, lines)
	go book(all)
	http.HandleFunc("/readings", func(w http.ResponseWriter, r *http.Request) {
		var x reading
		if err := json.NewDecoder(r.Body).Decode(&x); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if x.Meter < 0 || x.Meter >= meters {
			http.Error(w, "no such meter", http.StatusNotFound)
			return
		}
		x.booked = make(chan total, 1)
		in[x.Meter].In() <- x
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(<-x.booked)
	})
	service.Run(http.DefaultServeMux)
}

// join leads all lines to one.
func join(all channels.NativeChannel, lines []channels.SimpleOutChannel) {
	if service.After() {
		for _, l := range lines {
			channels.WeakPipe(l, all)
		}
		return
	}
	channels.Multiplex(all, lines...)
}

func book(all channels.NativeChannel) {
	totals := make([]total, meters)
	for v := range all.Out() {
		x := v.(reading)
		t := &totals[x.Meter]
		t.Meter = x.Meter
		for _, watts := range x.Watts {
			t.Readings++
			t.Sum += watts
			t.Peak = max(t.Peak, watts)
		}
		if t.Readings > 0 {
			t.Mean = float64(t.Sum) / float64(t.Readings)
		}
		x.booked <- *t
	}
}
