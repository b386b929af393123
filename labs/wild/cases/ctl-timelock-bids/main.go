// Sealed bids: a bid is put behind a puzzle that takes so many squarings to open, one after the other, and the house opens those that were not
// opened by their bidders. That it takes long is what the seal is.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"strconv"

	"wild/service"
)

const squarings = 3000

// house opens bids, modulo what it has.
type house struct{ modulus *big.Int }

func open() *house {
	p := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 607), big.NewInt(1))
	q := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 521), big.NewInt(1))
	return &house{new(big.Int).Mul(p, q)}
}

// unseal squares a seal as often as it was said to.
func (h *house) unseal(seal *big.Int) *big.Int {
	x := new(big.Int).Mod(seal, h.modulus)
	square := new(big.Int)
	for range squarings {
		square.Mul(x, x)
		x.Mod(square, h.modulus)
	}
	return x
}

func (h *house) serve(w http.ResponseWriter, r *http.Request) {
	lot, err := strconv.Atoi(r.PathValue("lot"))
	if err != nil {
		http.Error(w, "which lot?", http.StatusBadRequest)
		return
	}
	seal := sha256.Sum256([]byte("lot " + r.PathValue("lot") + " " + r.URL.Query().Get("bidder")))
	key := sha256.Sum256(h.unseal(new(big.Int).SetBytes(seal[:])).Bytes())
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"lot": lot, "key": fmt.Sprintf("%x", key[:8])})
}

func main() {
	h := open()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /lots/{lot}/open", h.serve)
	service.Run(mux)
}
