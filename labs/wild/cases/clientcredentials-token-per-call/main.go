// A service that books parcels with a carrier, whose API wants a token of its identity
// provider. Both run as a process of their own: a token takes 12 ms, a booking 3 ms.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"wild/service"
)

type parcel struct {
	To    string `json:"to"`
	Grams int    `json:"grams"`
}

// carrier is the client of the carrier's API.
type carrier struct {
	url   string
	http  *http.Client
	token func(context.Context) (*oauth2.Token, error)
}

func (c *carrier) book(ctx context.Context, p parcel) (string, error) {
	token, err := c.token(context.WithValue(ctx, oauth2.HTTPClient, c.http))
	if err != nil {
		return "", err
	}
	body, err := json.Marshal(p)
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/book", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	token.SetAuthHeader(req)
	resp, err := c.http.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	label, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("book: %s", resp.Status)
	}
	return string(label), err
}

func main() {
	if os.Getenv("ROLE") == "carrier" {
		serve()
		return
	}
	url := "http://" + service.Beside("carrier")
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	config := clientcredentials.Config{ClientID: "shop", ClientSecret: "secret", TokenURL: url + "/token", AuthStyle: oauth2.AuthStyleInHeader}
	c := &carrier{url: url, http: client, token: config.Token}
	if service.After() {
		source := config.TokenSource(context.WithValue(context.Background(), oauth2.HTTPClient, client))
		c.token = func(context.Context) (*oauth2.Token, error) { return source.Token() }
	}
	http.HandleFunc("/parcels", func(w http.ResponseWriter, r *http.Request) {
		var p parcel
		if err := json.NewDecoder(r.Body).Decode(&p); err != nil || p.To == "" {
			http.Error(w, "to and grams are needed", http.StatusBadRequest)
			return
		}
		label, err := c.book(r.Context(), p)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"label": label, "to": p.To, "cents": 490 + p.Grams/10})
	})
	service.Run(http.DefaultServeMux)
}

func serve() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	var seq atomic.Int64
	http.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(12 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"access_token":"t%d","token_type":"bearer","expires_in":3600}`, seq.Add(1))
	})
	http.HandleFunc("/book", func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer t") {
			http.Error(w, "no token", http.StatusUnauthorized)
			return
		}
		time.Sleep(3 * time.Millisecond)
		fmt.Fprintf(w, "JD%012d", seq.Add(1))
	})
	go http.Serve(ln, nil)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
