// Cards of a clinic: what is on a card is encrypted, and Vault has the key. It is asked for each card that is shown, and it is
// a process of its own, which takes 20 ms: the key is in a device that is slow on purpose.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	vault "github.com/hashicorp/vault/api"

	"wild/service"
)

// card is what is on one.
type card struct {
	Number int    `json:"number"`
	Name   string `json:"name"`
	Blood  string `json:"blood"`
	Notes  string `json:"notes"`
}

// clinic has cards, as they are kept.
type clinic struct {
	vault *vault.Client
	cards [500]string
}

func open(address string) (*clinic, error) {
	cfg := vault.DefaultConfig()
	if cfg.Error != nil {
		return nil, cfg.Error
	}
	cfg.Address = "http://" + address
	cfg.HttpClient = &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConns: 128, MaxIdleConnsPerHost: 128, IdleConnTimeout: time.Minute}}
	client, err := vault.NewClient(cfg)
	if err != nil {
		return nil, err
	}
	client.SetToken("stand-in")
	c := &clinic{vault: client}
	for n := range c.cards {
		b, err := json.Marshal(card{n, fmt.Sprint("patient ", n), []string{"A", "B", "AB", "0"}[n%4], strings.Repeat("seen. ", 5+n%20)})
		if err != nil {
			return nil, err
		}
		c.cards[n] = "vault:v1:" + base64.StdEncoding.EncodeToString(b)
	}
	return c, nil
}

var errAnswer = errors.New("vault: no plaintext in the answer")

// show has a card decrypted.
func (c *clinic) show(ctx context.Context, n int) (*card, error) {
	secret, err := c.vault.Logical().WriteWithContext(ctx, "transit/decrypt/cards", map[string]any{"ciphertext": c.cards[n]})
	if err != nil {
		return nil, err
	}
	plain, ok := secret.Data["plaintext"].(string)
	if !ok {
		return nil, errAnswer
	}
	b, err := base64.StdEncoding.DecodeString(plain)
	if err != nil {
		return nil, err
	}
	out := &card{}
	return out, json.Unmarshal(b, out)
}

func main() {
	if os.Getenv("ROLE") == "vault" {
		keys()
		return
	}
	c, err := open(service.Beside("vault"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /cards/{card}", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.PathValue("card"))
		if err != nil || n < 0 || n >= len(c.cards) {
			http.Error(w, "there is no such card", http.StatusNotFound)
			return
		}
		out, err := c.show(r.Context(), n)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(mux)
}

// keys decrypts what it is sent, slowly.
func keys() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /v1/transit/decrypt/cards", func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Ciphertext string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		time.Sleep(20 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"request_id":"1","data":{"plaintext":%q}}`, strings.TrimPrefix(asked.Ciphertext, "vault:v1:"))
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
