// Orders of a wholesaler's customers: what is sent is held against the schema that the API is described by, and what is right is
// priced.
package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"

	"github.com/go-openapi/spec"
	"github.com/go-openapi/strfmt"
	"github.com/go-openapi/validate"

	"wild/service"
)

const described = `{
 "type": "object", "required": ["customer", "lines", "deliver"], "additionalProperties": false,
 "properties": {
  "customer": {"type": "string", "pattern": "^K[0-9]{5}$"},
  "deliver": {"type": "string", "format": "date"},
  "remark": {"type": "string", "maxLength": 200},
  "contact": {"type": "object", "properties": {
   "name": {"type": "string", "minLength": 1}, "mail": {"type": "string", "format": "email"}, "phone": {"type": "string", "maxLength": 20}}},
  "lines": {"type": "array", "minItems": 1, "maxItems": 100, "items": {
   "type": "object", "required": ["article", "pieces"],
   "properties": {
    "article": {"type": "string", "minLength": 3, "maxLength": 12},
    "pieces": {"type": "integer", "minimum": 1, "maximum": 5000},
    "unit": {"type": "string", "enum": ["piece", "box", "pallet"]},
    "cents": {"type": "number", "minimum": 0},
    "tags": {"type": "array", "maxItems": 5, "items": {"type": "string", "maxLength": 16}},
    "size": {"type": "object", "properties": {"wide": {"type": "integer", "minimum": 0}, "high": {"type": "integer", "minimum": 0}}}
   }}}
 }
}`

// desk takes orders.
type desk struct {
	schema  *spec.Schema
	options []validate.Option
}

func open() (*desk, error) {
	d := &desk{schema: new(spec.Schema)}
	if service.After() {
		d.options = append(d.options, validate.WithSkipSchemataResult(true))
	}
	return d, json.Unmarshal([]byte(described), d.schema)
}

// order is one that is right.
type order struct {
	Customer string `json:"customer"`
	Lines    []struct {
		Article string  `json:"article"`
		Pieces  int     `json:"pieces"`
		Cents   float64 `json:"cents"`
	} `json:"lines"`
}

// sum is what an order costs, with what is taken off for many pieces.
func (o order) sum() float64 {
	all := 0.0
	for _, l := range o.Lines {
		cents := l.Cents
		if l.Pieces >= 100 {
			cents *= 0.95
		}
		all += cents * float64(l.Pieces)
	}
	return all
}

func (d *desk) take(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 64<<10))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var sent any
	if err := json.Unmarshal(body, &sent); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := validate.AgainstSchema(d.schema, sent, strfmt.Default, d.options...); err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	var o order
	if err := json.Unmarshal(body, &o); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"customer": o.Customer, "lines": len(o.Lines), "cents": o.sum()})
}

func main() {
	d, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", d.take)
	mux.HandleFunc("GET /schema", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, described) })
	service.Run(mux)
}
