// Bookings of rooms, whose requests are held against the contract of the service, an OpenAPI
// document, by the filter of kin-openapi before they are handled.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"wild/service"
)

const contract = `
openapi: OPENAPI
info: {title: Bookings, version: "1.4"}
servers: [{url: /}]
paths:
  /bookings:
    post:
      operationId: book
      parameters:
        - {name: dry, in: query, schema: {type: boolean}}
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [room, guest, nights]
              additionalProperties: false
              properties:
                room: {type: string, pattern: "^[A-Z][0-9]{3}$"}
                nights: {type: integer, minimum: 1, maximum: 60}
                guest:
                  type: object
                  required: [name, email]
                  properties:
                    name: {type: string, minLength: 1, maxLength: 80}
                    email: {type: string, maxLength: 120}
                    phone: {type: string, pattern: "^[+0-9 ]+$"}
                extras:
                  type: array
                  maxItems: 10
                  items: {type: string, enum: [breakfast, parking, late, crib]}
      responses:
        "200": {description: booked}
`

type booking struct {
	Room   string   `json:"room"`
	Nights int      `json:"nights"`
	Extras []string `json:"extras"`
}

func main() {
	version := "3.1.0"
	if service.After() {
		version = "3.0.3" // says the same: nothing in it is of 3.1
	}
	doc, err := openapi3.NewLoader().LoadFromData([]byte(strings.Replace(contract, "OPENAPI", version, 1)))
	if err != nil {
		log.Fatal(err)
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		log.Fatal(err)
	}
	var seq atomic.Int64
	http.Handle("/bookings", checked(router, func(w http.ResponseWriter, r *http.Request) {
		var b booking
		if err := json.NewDecoder(r.Body).Decode(&b); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"number":%d,"room":%q,"cents":%d}`+"\n", seq.Add(1), b.Room, b.Nights*9900+len(b.Extras)*1200)
	}))
	service.Run(http.DefaultServeMux)
}

func checked(router routers.Router, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		route, params, err := router.FindRoute(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		in := &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route}
		if err := openapi3filter.ValidateRequest(r.Context(), in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		next(w, r)
	}
}
