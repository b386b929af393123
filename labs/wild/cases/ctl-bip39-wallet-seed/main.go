// Wallets of a village's own money: who comes back says the twelve words that were written down, and the seed that they stand for is worked
// out, by the 2048 rounds that the standard asks for, so that words cannot be guessed.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"

	bip39 "github.com/cosmos/go-bip39"

	"wild/service"
)

// words is what is said.
type words struct {
	Mnemonic   string `json:"mnemonic"`
	Passphrase string `json:"passphrase"`
}

func serve(w http.ResponseWriter, r *http.Request) {
	var in words
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	seed, err := bip39.NewSeedWithErrorChecking(in.Mnemonic, in.Passphrase)
	if err != nil {
		http.Error(w, "these are no such words", http.StatusBadRequest)
		return
	}
	sum := sha256.Sum256(seed)
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]string{"wallet": hex.EncodeToString(sum[:8])})
}

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /wallets", serve)
	service.Run(mux)
}
