// Playlists of a music service: who asks shows an ID token, which is verified with the keys
// of the identity provider. That is a process of its own, 8 ms away.
package main

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"wild/service"
)

const (
	issuer = "https://id.example.com"
	client = "playlists"
	kid    = "k-2026-11"
)

type playlist struct {
	Name  string   `json:"name"`
	Owner string   `json:"owner"`
	Songs []string `json:"songs"`
}

// guard lets those in who have a token.
type guard struct {
	keys   string // where the provider has its keys
	http   *http.Client
	shared *oidc.IDTokenVerifier
}

func (g *guard) verifier() *oidc.IDTokenVerifier {
	if g.shared != nil {
		return g.shared
	}
	keys := oidc.NewRemoteKeySet(oidc.ClientContext(context.Background(), g.http), g.keys)
	return oidc.NewVerifier(issuer, keys, &oidc.Config{ClientID: client})
}

func (g *guard) user(r *http.Request) (string, error) {
	raw, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		raw = r.URL.Query().Get("access_token") // RFC 6750, 2.3
	}
	token, err := g.verifier().Verify(r.Context(), raw)
	if err != nil {
		return "", err
	}
	return token.Subject, nil
}

func main() {
	if os.Getenv("ROLE") == "provider" {
		provide()
		return
	}
	provider := "http://" + service.Beside("provider")
	g := &guard{keys: provider + "/keys", http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}}
	if service.After() {
		g.shared = g.verifier()
	}
	lists := playlists()
	tokens := signIns(g.http, provider)
	http.HandleFunc("GET /playlists", func(w http.ResponseWriter, r *http.Request) {
		user, err := g.user(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"user": user, "playlists": lists[user]})
	})
	// The page of a signed-in session, whose token the front keeps.
	http.HandleFunc("GET /me/{session}", func(w http.ResponseWriter, r *http.Request) {
		token, ok := tokens[r.PathValue("session")]
		if !ok {
			http.Error(w, "no such session", http.StatusUnauthorized)
			return
		}
		r.Header.Set("Authorization", "Bearer "+token)
		user, err := g.user(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"user": user, "playlists": lists[user]})
	})
	service.Run(http.DefaultServeMux)
}

func playlists() map[string][]playlist {
	out := map[string][]playlist{}
	for u := range 8 {
		user := fmt.Sprint("user-", u)
		for l := range 5 {
			p := playlist{Name: fmt.Sprint("list ", l), Owner: user}
			for s := range 6 {
				p.Songs = append(p.Songs, fmt.Sprintf("song-%d", u*100+l*10+s))
			}
			out[user] = append(out[user], p)
		}
	}
	return out
}

// signIns are the tokens of the sessions, one for each user.
func signIns(c *http.Client, provider string) map[string]string {
	out := map[string]string{}
	for u := range 8 {
		resp, err := c.Post(fmt.Sprintf("%s/token?user=user-%d", provider, u), "", nil)
		if err != nil {
			log.Fatal(err)
		}
		token, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			log.Fatal(err)
		}
		out[fmt.Sprint("s", u)] = string(token)
	}
	return out
}

// provide is the identity provider.
func provide() {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		log.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	text := base64.RawURLEncoding.EncodeToString
	http.HandleFunc("GET /keys", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(8 * time.Millisecond)
		w.Header().Set("Content-Type", "application/jwk-set+json")
		json.NewEncoder(w).Encode(map[string]any{"keys": []map[string]string{{
			"kty": "RSA", "use": "sig", "alg": "RS256", "kid": kid, "n": text(key.N.Bytes()), "e": text(big.NewInt(int64(key.E)).Bytes()),
		}}})
	})
	http.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) {
		now := time.Now()
		head, _ := json.Marshal(map[string]string{"alg": "RS256", "kid": kid})
		claims, _ := json.Marshal(map[string]any{"iss": issuer, "aud": client, "sub": r.FormValue("user"), "iat": now.Unix(), "exp": now.Add(8 * time.Hour).Unix()})
		signed := text(head) + "." + text(claims)
		sum := sha256.Sum256([]byte(signed))
		signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		io.WriteString(w, signed+"."+text(signature))
	})
	go http.Serve(ln, nil)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
