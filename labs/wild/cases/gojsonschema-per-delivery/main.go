// Webhooks of partners: what a partner delivers is held against the schema of its kind, and what does not fit is
// answered with the reasons. The service speaks HTTP/2 without TLS, behind a proxy that has it.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"sync/atomic"

	"github.com/xeipuuv/gojsonschema"

	"wild/service"
)

const shipment = `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","required":["id","parcels","to"],
"definitions":{"address":{"type":"object","required":["name","street","zip","country"],"properties":{"name":{"type":"string","minLength":1,"maxLength":80},"street":{"type":"string"},"zip":{"type":"string","pattern":"^[0-9A-Z -]{3,10}$"},"country":{"type":"string","pattern":"^[A-Z]{2}$"}}}},
"properties":{"id":{"type":"string","pattern":"^S[0-9]{6}$"},"to":{"$ref":"#/definitions/address"},"from":{"$ref":"#/definitions/address"},
"parcels":{"type":"array","minItems":1,"maxItems":200,"items":{"type":"object","required":["number","grams"],"properties":{"number":{"type":"string","minLength":4},"grams":{"type":"integer","minimum":1,"maximum":40000},"class":{"enum":["letter","parcel","bulky"]},"insured":{"type":"boolean"}}}}}}`

const invoice = `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","required":["number","lines","currency"],
"properties":{"number":{"type":"string","pattern":"^I-[0-9]+$"},"currency":{"enum":["EUR","CHF","GBP"]},"due":{"type":"string","format":"date"},"mail":{"type":"string","format":"email"},
"lines":{"type":"array","minItems":1,"items":{"type":"object","required":["text","cents"],"properties":{"text":{"type":"string","maxLength":200},"cents":{"type":"integer"},"vat":{"type":"number","minimum":0,"maximum":25}}}}}}`

// kinds are schemas by what is delivered.
type kinds struct {
	texts map[string]string
	ready map[string]*gojsonschema.Schema
}

func newKinds() (*kinds, error) {
	k := &kinds{map[string]string{"shipment": shipment, "invoice": invoice}, map[string]*gojsonschema.Schema{}}
	for name, text := range k.texts {
		s, err := gojsonschema.NewSchema(gojsonschema.NewStringLoader(text))
		if err != nil {
			return nil, fmt.Errorf("schema of %s: %w", name, err)
		}
		k.ready[name] = s
	}
	return k, nil
}

// check returns why a document does not fit.
func (k *kinds) check(kind string, document []byte) ([]string, error) {
	text, ok := k.texts[kind]
	if !ok {
		return nil, fmt.Errorf("no kind %q", kind)
	}
	of := gojsonschema.NewBytesLoader(document)
	var result *gojsonschema.Result
	var err error
	if service.After() {
		result, err = k.ready[kind].Validate(of)
	} else {
		result, err = gojsonschema.Validate(gojsonschema.NewStringLoader(text), of)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	var why []string
	for _, e := range result.Errors() {
		why = append(why, e.String())
	}
	return why, nil
}

func main() {
	k, err := newKinds()
	if err != nil {
		log.Fatal(err)
	}
	var taken atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("POST /hooks/{kind}", func(w http.ResponseWriter, r *http.Request) {
		document, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		why, err := k.check(r.PathValue("kind"), document)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"taken": taken.Add(1), "refused": why})
	})
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
