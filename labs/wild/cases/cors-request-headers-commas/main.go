// A JSON API for pages of other origins: rs/cors answers their preflight requests.
package main

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/rs/cors"

	"wild/service"
)

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("/orders", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"order": 17, "state": "sent"})
	})
	c := cors.New(cors.Options{
		AllowedOrigins: []string{"https://shop.example", "https://admin.example"},
		AllowedMethods: []string{http.MethodGet, http.MethodPost},
		AllowedHeaders: []string{"Authorization", "Content-Type", "X-Request-Id"},
		MaxAge:         int(time.Hour / time.Second),
	})
	service.Run(c.Handler(mux))
}
