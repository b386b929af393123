// The API of a service that many companies use, each below its own name: 80 resources with
// 10 routes each, in gorilla/mux.
package main

import (
	"encoding/json"
	"net/http"

	"github.com/gorilla/mux"

	"wild/service"
)

// suffixes are the routes of a resource.
var suffixes = []string{
	"", "/{id:[0-9]+}", "/{id:[0-9]+}/history", "/{id:[0-9]+}/notes", "/{id:[0-9]+}/notes/{note:[0-9]+}",
	"/{id:[0-9]+}/files", "/{id:[0-9]+}/files/{file}", "/{id:[0-9]+}/owners", "/{id:[0-9]+}/state", "/search/{words}",
}

func main() {
	router := mux.NewRouter()
	for _, area := range []string{"sales", "stock", "people", "billing", "support", "fleet", "sites", "audit"} {
		area = "/api/{company:[a-z0-9-]+}/" + area
		inArea := router
		if service.After() {
			inArea = router.PathPrefix(area).Subrouter()
		}
		for _, kind := range []string{"/orders", "/items", "/events", "/teams", "/tasks", "/reports", "/rules", "/places", "/labels", "/hooks"} {
			routes, prefix := inArea, area+kind
			if service.After() {
				routes, prefix = inArea.PathPrefix(kind).Subrouter(), ""
			}
			for _, suffix := range suffixes {
				routes.HandleFunc(prefix+suffix, handler(area+kind+suffix)).Methods(http.MethodGet)
			}
		}
	}
	service.Run(router)
}

func handler(route string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]string{"route": route, "company": mux.Vars(r)["company"], "id": mux.Vars(r)["id"]})
	}
}
