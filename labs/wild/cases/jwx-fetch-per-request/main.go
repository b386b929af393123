// An API that verifies the token of each request with the keys of its identity
// provider, a process of its own that is 8 ms away.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/lestrrat-go/jwx/v2/jwa"
	"github.com/lestrrat-go/jwx/v2/jwk"
	"github.com/lestrrat-go/jwx/v2/jwt"

	"wild/service"
)

func main() {
	if os.Getenv("ROLE") == "provider" {
		provider()
		return
	}
	address := service.Beside("provider")
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}
	url := "http://" + address + "/keys"
	token := get(client, "http://"+address+"/token")

	keys := func(ctx context.Context) (jwk.Set, error) { return jwk.Fetch(ctx, url, jwk.WithHTTPClient(client)) }
	if service.After() {
		cache := jwk.NewCache(context.Background())
		if err := cache.Register(url, jwk.WithHTTPClient(client), jwk.WithMinRefreshInterval(15*time.Minute)); err != nil {
			log.Fatal(err)
		}
		keys = func(ctx context.Context) (jwk.Set, error) { return cache.Get(ctx, url) }
	}
	http.HandleFunc("/me", func(w http.ResponseWriter, r *http.Request) {
		set, err := keys(r.Context())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		// The token stands for the one that the request brings.
		t, err := jwt.Parse(token, jwt.WithKeySet(set), jwt.WithValidate(true))
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]string{"subject": t.Subject()})
	})
	service.Run(http.DefaultServeMux)
}

func get(client *http.Client, url string) []byte {
	resp, err := client.Get(url)
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		log.Fatal(err)
	}
	return body
}

func provider() {
	raw, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	key, err := jwk.FromRaw(raw)
	if err != nil {
		log.Fatal(err)
	}
	key.Set(jwk.KeyIDKey, "one")
	key.Set(jwk.AlgorithmKey, jwa.ES256)
	public, err := key.PublicKey()
	if err != nil {
		log.Fatal(err)
	}
	set := jwk.NewSet()
	set.AddKey(public)
	keys, err := json.Marshal(set)
	if err != nil {
		log.Fatal(err)
	}
	t, err := jwt.NewBuilder().Subject("ann").Expiration(time.Now().Add(time.Hour)).Build()
	if err != nil {
		log.Fatal(err)
	}
	token, err := jwt.Sign(t, jwt.WithKey(jwa.ES256, key))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/keys", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(8 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		w.Write(keys)
	})
	mux.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) { w.Write(token) })
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
