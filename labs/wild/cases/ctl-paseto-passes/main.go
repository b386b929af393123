// Passes for museums, over h2c: a gate shows what a visitor's pass says, which is true if its signature is, and whether it is good for this
// museum today.
package main

import (
	"crypto/ed25519"
	"encoding/binary"
	"encoding/json"
	"log"
	"net/http"
	"strconv"
	"time"

	"github.com/o1egl/paseto"

	"wild/service"
)

// office issues passes and checks them.
type office struct {
	tokens *paseto.V2
	key    ed25519.PrivateKey
	passes []string
}

func open() (*office, error) {
	seed := make([]byte, ed25519.SeedSize)
	binary.BigEndian.PutUint64(seed, 7)
	o := &office{tokens: paseto.NewV2(), key: ed25519.NewKeyFromSeed(seed)}
	now := time.Now()
	for i := range 200 {
		pass := paseto.JSONToken{
			Issuer: "museums.example", Subject: "visitor-" + strconv.Itoa(i), Audience: "gates",
			IssuedAt: now, NotBefore: now.AddDate(0, 0, -1), Expiration: now.AddDate(0, 0, 1+i%5),
		}
		pass.Set("museum", strconv.Itoa(i%8))
		pass.Set("people", strconv.Itoa(1+i%4))
		token, err := o.tokens.Sign(o.key, pass, "v1")
		if err != nil {
			return nil, err
		}
		o.passes = append(o.passes, token)
	}
	return o, nil
}

// check is what a pass says, if it is good.
func (o *office) check(token string, museum string) (paseto.JSONToken, bool, error) {
	var pass paseto.JSONToken
	var footer string
	if err := o.tokens.Verify(token, o.key.Public(), &pass, &footer); err != nil {
		return pass, false, err
	}
	err := pass.Validate(paseto.IssuedBy("museums.example"), paseto.ForAudience("gates"), paseto.ValidAt(time.Now()))
	return pass, err == nil && pass.Get("museum") == museum, nil
}

// serve checks a pass: its number stands for what a gate reads off it.
func (o *office) serve(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("pass"))
	if err != nil || n < 0 || n >= len(o.passes) {
		http.Error(w, "there is no such pass", http.StatusNotFound)
		return
	}
	pass, good, err := o.check(o.passes[n], r.PathValue("museum"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"visitor": pass.Subject, "people": pass.Get("people"), "until": pass.Expiration, "good": good})
}

func main() {
	o, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /museums/{museum}/passes/{pass}", o.serve)
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	_ = srv.Close()
}
