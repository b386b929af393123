// Votes of a cooperative: each member signs its vote, and the signature is checked, by a pairing of curves, before the vote is counted.
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"math/big"
	"net/http"
	"sync"
	"sync/atomic"

	bls "github.com/kilic/bls12-381"

	"wild/service"
)

// vote is what a member sends.
type vote struct {
	Member    string `json:"member"`
	Choice    string `json:"choice"`
	Signature string `json:"signature"`
}

var domain = []byte("COOPERATIVE-VOTES-V1")

// cooperative knows its members' keys.
type cooperative struct {
	mu      sync.Mutex // an engine serves one at a time
	engine  *bls.Engine
	keys    map[string][]byte
	secrets map[string]*bls.Fr
	counted atomic.Int64
}

func open() *cooperative {
	c := &cooperative{engine: bls.NewEngine(), keys: map[string][]byte{}, secrets: map[string]*bls.Fr{}}
	g1 := bls.NewG1()
	for i := range 40 {
		member := fmt.Sprint("m", i)
		secret := bls.NewFr().FromBytes(new(big.Int).Mul(big.NewInt(int64(i)+7), big.NewInt(998244353)).Bytes())
		key := g1.New()
		g1.MulScalar(key, g1.One(), secret)
		c.secrets[member], c.keys[member] = secret, g1.ToCompressed(key)
	}
	return c
}

// check says whether a signature is its member's, by an engine.
func check(e *bls.Engine, key, signature []byte, text string) (bool, error) {
	k, err := e.G1.FromCompressed(key)
	if err != nil {
		return false, err
	}
	s, err := e.G2.FromCompressed(signature)
	if err != nil {
		return false, err
	}
	h, err := e.G2.HashToCurve([]byte(text), domain)
	if err != nil {
		return false, err
	}
	return e.Reset().AddPair(k, h).AddPairInv(e.G1.One(), s).Check(), nil
}

func (c *cooperative) verify(key, signature []byte, text string) (bool, error) {
	if service.After() {
		return check(bls.NewEngine(), key, signature, text)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return check(c.engine, key, signature, text)
}

func (c *cooperative) serve(w http.ResponseWriter, r *http.Request) {
	var in vote
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	signature, err := hex.DecodeString(in.Signature)
	if err != nil || c.keys[in.Member] == nil {
		http.Error(w, "who votes?", http.StatusBadRequest)
		return
	}
	if ok, err := c.verify(c.keys[in.Member], signature, in.Member+":"+in.Choice); err != nil || !ok {
		http.Error(w, "not signed by its member", http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"member": in.Member, "counted": c.counted.Add(1)})
}

// sign is what a member's own device does, and is here to try the service with.
func (c *cooperative) sign(w http.ResponseWriter, r *http.Request) {
	secret := c.secrets[r.PathValue("member")]
	if secret == nil {
		http.NotFound(w, r)
		return
	}
	g2 := bls.NewG2()
	s, err := g2.HashToCurve([]byte(r.PathValue("member")+":"+r.PathValue("choice")), domain)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	g2.MulScalar(s, s, secret)
	fmt.Fprintln(w, hex.EncodeToString(g2.ToCompressed(s)))
}

func main() {
	log.SetFlags(0)
	c := open()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /votes", c.serve)
	mux.HandleFunc("GET /members/{member}/signatures/{choice}", c.sign)
	service.Run(mux)
}
