// A search whose filters come as query parameters, filter.0.field=… and so on, that
// gorilla/schema decodes.
package main

import (
	"encoding/json"
	"net/http"

	"github.com/gorilla/schema"

	"wild/service"
)

type filter struct {
	Field string `schema:"field"`
	Value string `schema:"value"`
}

type search struct {
	Page   int      `schema:"page"`
	Filter []filter `schema:"filter"`
}

func main() {
	decoder := schema.NewDecoder()
	decoder.IgnoreUnknownKeys(true)
	http.HandleFunc("/search", func(w http.ResponseWriter, r *http.Request) {
		var s search
		if err := decoder.Decode(&s, r.URL.Query()); err != nil {
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(map[string]string{"error": err.Error()})
			return
		}
		used := 0
		for _, f := range s.Filter {
			if f.Field != "" {
				used++
			}
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]int{"page": s.Page, "filters": used})
	})
	service.Run(http.DefaultServeMux)
}
