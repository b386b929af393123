// Tickets for a stadium's gates: each is a claim signed with the venue's RSA key. The key is
// kept as a JSON Web Key, as the vault gives it out, and is made of its numbers at the start.
package main

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"math/big"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"wild/service"
)

type jwk struct {
	Kty string `json:"kty"`
	Kid string `json:"kid"`
	N   string `json:"n"`
	E   string `json:"e"`
	D   string `json:"d"`
	P   string `json:"p"`
	Q   string `json:"q"`
}

type ticket struct {
	ID      string `json:"jti"`
	Venue   string `json:"iss"`
	Seat    string `json:"seat"`
	Gate    int    `json:"gate"`
	Expires int64  `json:"exp"`
}

// signer makes tokens.
type signer struct {
	key  *rsa.PrivateKey
	head string
}

func newSigner(doc []byte) (*signer, error) {
	var k jwk
	if err := json.Unmarshal(doc, &k); err != nil {
		return nil, err
	}
	key, err := k.private()
	if err != nil {
		return nil, err
	}
	if service.After() {
		key.Precompute()
	}
	head, err := json.Marshal(map[string]string{"alg": "RS256", "typ": "JWT", "kid": k.Kid})
	if err != nil {
		return nil, err
	}
	return &signer{key, base64.RawURLEncoding.EncodeToString(head)}, nil
}

// private is the key of the numbers in the document.
func (k jwk) private() (*rsa.PrivateKey, error) {
	if k.Kty != "RSA" {
		return nil, fmt.Errorf("key %s: type %s", k.Kid, k.Kty)
	}
	var numbers [5]*big.Int
	for i, text := range []string{k.N, k.E, k.D, k.P, k.Q} {
		b, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			return nil, fmt.Errorf("key %s: %w", k.Kid, err)
		}
		numbers[i] = new(big.Int).SetBytes(b)
	}
	return &rsa.PrivateKey{
		PublicKey: rsa.PublicKey{N: numbers[0], E: int(numbers[1].Int64())},
		D:         numbers[2],
		Primes:    []*big.Int{numbers[3], numbers[4]},
	}, nil
}

func (s *signer) token(t ticket) (string, error) {
	claims, err := json.Marshal(t)
	if err != nil {
		return "", err
	}
	text := s.head + "." + base64.RawURLEncoding.EncodeToString(claims)
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, s.key, crypto.SHA256, sum[:])
	if err != nil {
		return "", err
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

func main() {
	s, err := newSigner(vault())
	if err != nil {
		log.Fatal(err)
	}
	var sold atomic.Int64
	http.HandleFunc("/ticket", func(w http.ResponseWriter, r *http.Request) {
		seat := r.URL.Query().Get("seat")
		gate, err := gateOf(seat)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		token, err := s.token(ticket{fmt.Sprint("t-", sold.Add(1)), "north-stadium", seat, gate, time.Now().Add(6 * time.Hour).Unix()})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"gate": gate, "token": token})
	})
	service.Run(http.DefaultServeMux)
}

// gateOf is the gate that is nearest to a seat such as B-114.
func gateOf(seat string) (int, error) {
	if len(seat) < 3 || seat[1] != '-' || seat[0] < 'A' || seat[0] > 'F' {
		return 0, fmt.Errorf("seat %q: want a block and a number", seat)
	}
	n, err := strconv.Atoi(seat[2:])
	if err != nil {
		return 0, fmt.Errorf("seat %q: %w", seat, err)
	}
	return int(seat[0]-'A')*4 + n%4, nil
}

// vault is the key as it is given out.
func vault() []byte {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		log.Fatal(err)
	}
	text := func(n *big.Int) string { return base64.RawURLEncoding.EncodeToString(n.Bytes()) }
	doc, err := json.Marshal(jwk{"RSA", "gates-7", text(key.N), text(big.NewInt(int64(key.E))), text(key.D), text(key.Primes[0]), text(key.Primes[1])})
	if err != nil {
		log.Fatal(err)
	}
	return doc
}
