// Signatures of a land office: each clerk's key is kept locked by a passphrase, and is unlocked for each paper that is signed; that takes long,
// so that whoever takes a key cannot try many phrases. A key is never kept unlocked.
package main

import (
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"net/http"

	"github.com/youmark/pkcs8"

	"wild/service"
)

// office has the locked keys of its clerks.
type office struct{ keys map[string][]byte }

func open() (*office, error) {
	o := &office{map[string][]byte{}}
	how := &pkcs8.Opts{Cipher: pkcs8.AES256CBC, KDFOpts: pkcs8.PBKDF2Opts{SaltSize: 16, IterationCount: 10000, HMACHash: crypto.SHA256}}
	for i := range 6 {
		_, key, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			return nil, err
		}
		locked, err := pkcs8.MarshalPrivateKey(key, fmt.Appendf(nil, "phrase %d", i), how)
		if err != nil {
			return nil, err
		}
		o.keys[fmt.Sprint("clerk", i)] = locked
	}
	return o, nil
}

// paper is what is signed, and by whose phrase.
type paper struct {
	Text   string `json:"text"`
	Phrase string `json:"phrase"`
}

// sign unlocks a clerk's key and signs with it.
func (o *office) sign(clerk string, p paper) ([]byte, error) {
	key, err := pkcs8.ParsePKCS8PrivateKey(o.keys[clerk], []byte(p.Phrase))
	if err != nil {
		return nil, err
	}
	signer, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("a key of another kind")
	}
	return ed25519.Sign(signer, []byte(p.Text)), nil
}

func (o *office) serve(w http.ResponseWriter, r *http.Request) {
	var p paper
	if err := json.NewDecoder(r.Body).Decode(&p); err != nil || p.Text == "" {
		http.Error(w, "what is signed?", http.StatusBadRequest)
		return
	}
	signed, err := o.sign(r.PathValue("clerk"), p)
	if err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]string{"signature": hex.EncodeToString(signed)})
}

func main() {
	o, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /clerks/{clerk}/signatures", o.serve)
	service.Run(mux)
}
