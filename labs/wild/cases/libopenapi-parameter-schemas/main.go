// Readings of weather stations. What is asked is checked against the published description of
// the service, OpenAPI 3.1, before it is answered.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"strconv"
	"time"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"

	"wild/service"
)

const description = `openapi: 3.1.0
info:
  title: Readings
  version: 1.0.0
paths:
  /readings:
    get:
      operationId: readings
      parameters:
        - name: station
          in: query
          required: true
          schema:
            type: string
            pattern: '^[A-Z]{3}-[0-9]{4}$'
        - name: sensor
          in: query
          required: true
          schema:
            type: string
            enum: [temperature, humidity, pressure, wind, rain, snow]
        - name: from
          in: query
          required: true
          schema:
            type: string
            format: date
        - name: every
          in: query
          schema:
            type: integer
            minimum: 1
            maximum: 1440
        - name: limit
          in: query
          schema:
            type: integer
            minimum: 1
            maximum: 500
            default: 100
        - name: unit
          in: query
          schema:
            type: string
            enum: [metric, imperial]
      responses:
        "200":
          description: what was read
          content:
            application/json:
              schema:
                type: array
                items:
                  type: object
`

type reading struct {
	At    time.Time `json:"at"`
	Value float64   `json:"value"`
}

func main() {
	doc, err := libopenapi.NewDocument([]byte(description))
	if err != nil {
		log.Fatal(err)
	}
	checks, errs := validator.NewValidator(doc)
	if len(errs) > 0 {
		log.Fatal(errs)
	}
	http.HandleFunc("GET /readings", func(w http.ResponseWriter, r *http.Request) {
		if ok, problems := checks.ValidateHttpRequestSync(r); !ok {
			http.Error(w, problems[0].Error(), http.StatusBadRequest)
			return
		}
		query := r.URL.Query()
		from, err := time.Parse(time.DateOnly, query.Get("from"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		every, _ := strconv.Atoi(query.Get("every"))
		limit, _ := strconv.Atoi(query.Get("limit"))
		out := make([]reading, 0, limit)
		for i := range limit {
			out = append(out, reading{from.Add(time.Duration(i*every) * time.Minute), float64(i*37%400) / 10})
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(http.DefaultServeMux)
}
