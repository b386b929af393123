// Building permits: each is signed with a key that a quantum computer does not break either, which costs what it costs.
package main

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"net/http"

	"github.com/cloudflare/circl/sign/mldsa/mldsa87"

	"wild/service"
)

// authority signs permits.
type authority struct{ key *mldsa87.PrivateKey }

// sign signs a permit.
func (a *authority) sign(permit []byte) ([]byte, error) {
	sig := make([]byte, mldsa87.SignatureSize)
	return sig, mldsa87.SignTo(a.key, permit, []byte("permits"), true, sig)
}

func (a *authority) serve(w http.ResponseWriter, r *http.Request) {
	permit, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<14))
	if err != nil || len(permit) == 0 {
		http.Error(w, "what is built?", http.StatusBadRequest)
		return
	}
	sig, err := a.sign(permit)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]string{"plot": r.PathValue("plot"), "signature": base64.StdEncoding.EncodeToString(sig)})
}

func main() {
	_, key, err := mldsa87.GenerateKey(nil)
	if err != nil {
		log.Fatal(err)
	}
	a := &authority{key}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /plots/{plot}/permits", a.serve)
	service.Run(mux)
}
