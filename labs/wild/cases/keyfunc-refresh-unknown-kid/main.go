// Doors of an office: a reader sends the token of a badge, and whether the door opens is told from its signature, by the keys that
// the identity provider publishes, and from the hours that the building has for it, another service. Some badges are of a tenant
// that moved out, and their key is published no more.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/MicahParks/keyfunc/v2"
	"github.com/golang-jwt/jwt/v5"

	"wild/service"
)

// the keys that the provider publishes, for two tenants.
const keys = `{"keys":[
{"kty":"OKP","crv":"Ed25519","alg":"EdDSA","use":"sig","kid":"north","x":"6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw"},
{"kty":"OKP","crv":"Ed25519","alg":"EdDSA","use":"sig","kid":"south","x":"E5j2LG0aRXxRumpLXz29L2n8qTIWIY3ImX5Ba9F9k8o"}]}`

// badge is what a token says.
type badge struct {
	Floors []int `json:"floors"`
	jwt.RegisteredClaims
}

// house opens doors.
type house struct {
	keys   *keyfunc.JWKS
	hours  string
	client *http.Client
}

func open(address string) (*house, error) {
	options := keyfunc.Options{
		RefreshInterval:   time.Hour,
		RefreshTimeout:    5 * time.Second,
		RefreshUnknownKID: true, // tenants come and go
		RefreshErrorHandler: func(err error) {
			log.Println(err)
		},
	}
	if service.After() {
		options.RefreshRateLimit = 5 * time.Minute
	}
	set, err := keyfunc.Get("http://"+address+"/keys", options)
	return &house{set, "http://" + address + "/hours", &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}, err
}

// opens says whether a badge may through a door now.
func (h *house) opens(ctx context.Context, token string, floor int) (bool, error) {
	var b badge
	if _, err := jwt.ParseWithClaims(token, &b, h.keys.Keyfunc, jwt.WithValidMethods([]string{"EdDSA"})); err != nil {
		if errors.Is(err, keyfunc.ErrKIDNotFound) || errors.Is(err, jwt.ErrTokenUnverifiable) || errors.Is(err, jwt.ErrTokenSignatureInvalid) {
			return false, nil
		}
		return false, err
	}
	for _, f := range b.Floors {
		if f == floor {
			return h.within(ctx, b.Subject)
		}
	}
	return false, nil
}

// within asks for the hours of a person.
func (h *house) within(ctx context.Context, person string) (bool, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, h.hours+"?person="+person, http.NoBody)
	if err != nil {
		return false, err
	}
	resp, err := h.client.Do(req)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	var out struct{ Within bool }
	return out.Within, json.NewDecoder(resp.Body).Decode(&out)
}

func (h *house) serve(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Token string `json:"token"`
		Floor int    `json:"floor"`
	}
	if err := json.NewDecoder(io.LimitReader(r.Body, 8<<10)).Decode(&asked); err != nil || asked.Token == "" {
		http.Error(w, "a badge has a token", http.StatusBadRequest)
		return
	}
	ok, err := h.opens(r.Context(), asked.Token, asked.Floor)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"door":%q,"open":%t}`, r.PathValue("door"), ok)
}

func main() {
	if os.Getenv("ROLE") == "provider" {
		provider()
		return
	}
	h, err := open(service.Beside("provider"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /doors/{door}/badge", h.serve)
	service.Run(mux)
}

// provider publishes keys, in 40 ms, and knows hours, in 2 ms.
func provider() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(40 * time.Millisecond)
		io.WriteString(w, keys)
	})
	mux.HandleFunc("GET /hours", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Millisecond)
		fmt.Fprintf(w, `{"within":%t}`, len(r.FormValue("person"))%2 == 0)
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
