// Meters of a utility: readings come with a token of the one that sends them, which is held against the keys of the identity
// provider, a service that takes 8 ms, and are then added to the sums of a street.
package main

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	jwtmiddleware "github.com/auth0/go-jwt-middleware/v2"
	"github.com/auth0/go-jwt-middleware/v2/jwks"
	"github.com/auth0/go-jwt-middleware/v2/validator"

	"wild/service"
)

const issuer = "https://id.utility.example/"

// scope is what a token allows.
type scope struct {
	Streets string `json:"streets"`
}

// Validate is part of the custom claims of the module.
func (s *scope) Validate(context.Context) error { return nil }

// guard makes the middleware that looks at tokens.
func guard(address string) (*jwtmiddleware.JWTMiddleware, error) {
	at, err := url.Parse("http://" + address)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	keys := jwks.NewProvider(at, jwks.WithCustomClient(client)).KeyFunc
	if service.After() {
		keys = jwks.NewCachingProvider(at, 5*time.Minute, jwks.WithCustomClient(client)).KeyFunc
	}
	v, err := validator.New(keys, validator.EdDSA, issuer, []string{"meters"},
		validator.WithCustomClaims(func() validator.CustomClaims { return new(scope) }), validator.WithAllowedClockSkew(time.Minute))
	if err != nil {
		return nil, err
	}
	return jwtmiddleware.New(v.ValidateToken, jwtmiddleware.WithTokenExtractor(jwtmiddleware.ParameterTokenExtractor("token"))), nil
}

// reading is what a meter says.
type reading struct {
	Meter string  `json:"meter"`
	KWh   float64 `json:"kwh"`
}

// street has meters.
type street struct {
	mu   sync.Mutex
	sums map[string]float64
	last map[string]float64
}

func (s *street) take(w http.ResponseWriter, r *http.Request) {
	claims, ok := r.Context().Value(jwtmiddleware.ContextKey{}).(*validator.ValidatedClaims)
	if !ok {
		http.Error(w, "no token", http.StatusUnauthorized)
		return
	}
	name := r.PathValue("street")
	if allowed := claims.CustomClaims.(*scope).Streets; allowed != "*" && allowed != name {
		http.Error(w, "not your street", http.StatusForbidden)
		return
	}
	var sent []reading
	if err := json.NewDecoder(io.LimitReader(r.Body, 64<<10)).Decode(&sent); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	for _, m := range sent {
		s.sums[name] += m.KWh - s.last[m.Meter]
		s.last[m.Meter] = m.KWh
	}
	sum := s.sums[name]
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"street": name, "kwh": sum, "by": claims.RegisteredClaims.Subject})
}

func main() {
	if os.Getenv("ROLE") == "identity" {
		identity()
		return
	}
	g, err := guard(service.Beside("identity"))
	if err != nil {
		log.Fatal(err)
	}
	s := &street{sums: map[string]float64{}, last: map[string]float64{}}
	mux := http.NewServeMux()
	mux.Handle("POST /streets/{street}/readings", g.CheckJWT(http.HandlerFunc(s.take)))
	service.Run(mux)
}

// identity is the provider: it says where its keys are, and which.
func identity() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	seed := sha256.Sum256([]byte("keys of a utility"))
	key := ed25519.NewKeyFromSeed(seed[:]).Public().(ed25519.PublicKey)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(8 * time.Millisecond)
		json.NewEncoder(w).Encode(map[string]string{"issuer": issuer, "jwks_uri": "http://" + ln.Addr().String() + "/keys"})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(8 * time.Millisecond)
		json.NewEncoder(w).Encode(map[string]any{"keys": []any{map[string]string{"kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": "one", "x": base64.RawURLEncoding.EncodeToString(key)}}})
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
