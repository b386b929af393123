// Daily reminders to take a medicine: each patient is reminded at a time of their choice, an
// entry of robfig/cron for each, and may put it at another time.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/robfig/cron/v3"

	"wild/service"
)

const patients = 8_000

type reminders struct {
	cron *cron.Cron
	sent atomic.Int64

	mu  sync.Mutex
	ids map[int]cron.EntryID
}

func main() {
	s := &reminders{cron: cron.New(), ids: make(map[int]cron.EntryID, patients)}
	for p := range patients {
		if err := s.put(p, p%24, p%60); err != nil {
			log.Fatal(err)
		}
	}
	s.cron.Start()
	var seq atomic.Int64
	http.HandleFunc("/reminders", func(w http.ResponseWriter, r *http.Request) {
		n := int(seq.Add(1))
		hour, err := strconv.Atoi(r.FormValue("hour"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		patient, minute := n%patients, n*37%60
		if err := s.put(patient, hour, minute); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"patient": patient, "hour": hour, "minute": minute})
	})
	service.Run(http.DefaultServeMux)
}

// put has a patient reminded at this time, and no longer at the one before it.
func (s *reminders) put(patient, hour, minute int) error {
	id, err := s.cron.AddFunc(fmt.Sprintf("%d %d * * *", minute, hour), func() { s.sent.Add(1) })
	if err != nil {
		return err
	}
	s.mu.Lock()
	old, ok := s.ids[patient]
	s.ids[patient] = id
	s.mu.Unlock()
	if ok {
		s.cron.Remove(old)
	}
	return nil
}
