// Invoices from a partner's API, with a token by OAuth 2 client credentials. The partner, a
// process of its own, answers in 20 ms and gives out a token in 250 ms; a token is good for
// some seconds more than the ten that the module wants to be left.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"wild/service"
)

func main() {
	if os.Getenv("ROLE") == "partner" {
		partner()
		return
	}
	base := "http://" + service.Beside("partner")
	conf := &clientcredentials.Config{ClientID: "shop", ClientSecret: "secret", TokenURL: base + "/token"}
	plain := http.DefaultTransport.(*http.Transport).Clone()
	plain.MaxIdleConnsPerHost = 64
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, &http.Client{Transport: plain})
	client := conf.Client(ctx) // an oauth2.ReuseTokenSource
	if service.After() {
		client = &http.Client{Transport: &oauth2.Transport{Source: renewing(ctx, conf), Base: plain}}
	}
	http.HandleFunc("/invoices", func(w http.ResponseWriter, r *http.Request) {
		req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, base+"/invoices", http.NoBody)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		resp, err := client.Do(req)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		w.WriteHeader(resp.StatusCode)
		io.Copy(w, resp.Body)
	})
	service.Run(http.DefaultServeMux)
}

// held is a token that is renewed before it ends, beside the requests.
type held struct{ atomic.Pointer[oauth2.Token] }

func (h *held) Token() (*oauth2.Token, error) { return h.Load(), nil }

func renewing(ctx context.Context, conf *clientcredentials.Config) oauth2.TokenSource {
	var h held
	t, err := conf.Token(ctx)
	if err != nil {
		log.Fatal(err)
	}
	h.Store(t)
	go func() {
		for {
			time.Sleep(700 * time.Millisecond)
			if t, err := conf.Token(ctx); err == nil {
				h.Store(t)
			}
		}
	}()
	return &h
}

func partner() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(250 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintln(w, `{"access_token": "abc", "token_type": "bearer", "expires_in": 11}`)
	})
	mux.HandleFunc("/invoices", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer abc" {
			http.Error(w, "no token", http.StatusUnauthorized)
			return
		}
		time.Sleep(20 * time.Millisecond)
		fmt.Fprintln(w, `[{"number": 17, "total": "100.00"}]`)
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
