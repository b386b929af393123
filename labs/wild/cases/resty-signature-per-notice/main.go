// Notices of parcels: a customer is told that a parcel comes, by way of a provider of text messages, which wants what it is
// sent to be signed. The provider is a process of its own.
package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/go-resty/resty/v2"

	"wild/service"
)

// notice is what is asked for.
type notice struct {
	Parcel string `json:"parcel"`
	Phone  string `json:"phone"`
	Street string `json:"street"`
	Hours  string `json:"hours"`
}

// message is what the provider is sent.
type message struct {
	To   string `json:"to"`
	Text string `json:"text"`
}

var key = []byte("9f4c1e0a7d")

// post sends notices.
type post struct{ provider *resty.Client }

func open(address string) *post {
	p := &post{resty.NewWithClient(&http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}).SetBaseURL("http://" + address)}
	p.provider.SetHeader("X-Account", "parcels")
	if service.After() {
		p.provider.OnBeforeRequest(sign)
	}
	return p
}

// sign is over what is sent.
func sign(_ *resty.Client, r *resty.Request) error {
	body, ok := r.Body.([]byte)
	if !ok {
		return errors.New("a message is bytes")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write(body)
	r.SetHeader("X-Signature", hex.EncodeToString(mac.Sum(nil)))
	return nil
}

func (n notice) text() string {
	return fmt.Sprintf("Your parcel %s comes today, %s, to %s. You can have it left at a neighbour's, or fetch it tomorrow.", n.Parcel, n.Hours, n.Street)
}

// tell sends a notice, and says what the provider calls it.
func (p *post) tell(ctx context.Context, n notice) (string, error) {
	body, err := json.Marshal(message{n.Phone, n.text()})
	if err != nil {
		return "", err
	}
	if !service.After() {
		p.provider.OnBeforeRequest(sign)
	}
	var said struct {
		ID string `json:"id"`
	}
	resp, err := p.provider.R().SetContext(ctx).SetHeader("Content-Type", "application/json").SetBody(body).SetResult(&said).Post("/messages")
	if err != nil {
		return "", err
	}
	if resp.IsError() {
		return "", fmt.Errorf("the provider: %s", resp.Status())
	}
	return said.ID, nil
}

func main() {
	if os.Getenv("ROLE") == "provider" {
		serveProvider()
		return
	}
	p := open(service.Beside("provider"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /notices", func(w http.ResponseWriter, r *http.Request) {
		var n notice
		if err := json.NewDecoder(r.Body).Decode(&n); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if n.Parcel == "" || !strings.HasPrefix(n.Phone, "+") {
			http.Error(w, "a notice has a parcel and a phone", http.StatusUnprocessableEntity)
			return
		}
		id, err := p.tell(r.Context(), n)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]string{"parcel": n.Parcel, "message": id})
	})
	service.Run(mux)
}

// serveProvider takes messages that are signed, and 4 ms for each.
func serveProvider() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /messages", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mac := hmac.New(sha256.New, key)
		mac.Write(body)
		signed, err := hex.DecodeString(r.Header.Get("X-Signature"))
		if err != nil || !hmac.Equal(signed, mac.Sum(nil)) {
			http.Error(w, "not signed", http.StatusForbidden)
			return
		}
		time.Sleep(4 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"m-%x"}`, mac.Sum(nil)[:6])
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
