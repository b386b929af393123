// A log archive: it reads a stored page of events, whose stack traces are full of escaped lines, and counts the errors.
package main

import (
	"fmt"
	"log"
	"net/http"

	"github.com/goccy/go-json"

	"wild/service"
)

type event struct {
	Level   string `json:"level"`
	Message string `json:"message"`
	Trace   string `json:"trace"`
}

func main() {
	stored := page(120)
	mux := http.NewServeMux()
	mux.HandleFunc("/errors", func(w http.ResponseWriter, r *http.Request) {
		var events []event
		if err := json.Unmarshal(stored, &events); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		n := 0
		for _, e := range events {
			if e.Level == "error" {
				n++
			}
		}
		fmt.Fprintf(w, "%d of %d\n", n, len(events))
	})
	service.Run(mux)
}

func page(n int) []byte {
	var events []event
	for i := range n {
		e := event{Level: "info", Message: fmt.Sprintf("handled \"order-%d\"", i)}
		if i%2 == 0 {
			e.Level = "error"
			for f := range 12 {
				e.Trace += fmt.Sprintf("main.step%d(...)\n\t/src/app/main.go:%d\n", f, 10*f)
			}
		}
		events = append(events, e)
	}
	out, err := json.Marshal(events)
	if err != nil {
		log.Fatal(err)
	}
	return out
}
