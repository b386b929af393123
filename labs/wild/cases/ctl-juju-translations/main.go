// Translations of menus by a partner, of whose service the contract allows 200 calls a second, which a token bucket keeps to. The partner
// is a process of its own.
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
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/juju/ratelimit"

	"wild/service"
)

// allowed is what the contract allows in a second, and in a moment.
const allowed, moment = 200, 10

// translator asks the partner.
type translator struct {
	partner  string
	client   *http.Client
	contract *ratelimit.Bucket
}

var errBusy = errors.New("too many want translations")

// translate asks for a line, once the contract allows it.
func (t *translator) translate(ctx context.Context, to, line string) (string, error) {
	if !t.contract.WaitMaxDuration(1, 5*time.Second) {
		return "", errBusy
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+t.partner+"/"+to+"?line="+url.QueryEscape(line), nil)
	if err != nil {
		return "", err
	}
	answer, err := t.client.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(io.LimitReader(answer.Body, 4<<10))
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("partner: %s", answer.Status)
	}
	return string(said), err
}

func (t *translator) serve(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Line string `json:"line"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 2<<10)).Decode(&in); err != nil || in.Line == "" {
		http.Error(w, "which line?", http.StatusBadRequest)
		return
	}
	said, err := t.translate(r.Context(), r.PathValue("to"), in.Line)
	if errors.Is(err, errBusy) {
		http.Error(w, err.Error(), http.StatusTooManyRequests)
		return
	} else if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	json.NewEncoder(w).Encode(map[string]string{"line": said})
}

func main() {
	if os.Getenv("ROLE") == "partner" {
		partner()
		return
	}
	t := &translator{service.Beside("partner"), &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}}, ratelimit.NewBucketWithRate(allowed, moment)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /lines/{to}", t.serve)
	mux.HandleFunc("GET /left", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, t.contract.Available()) })
	service.Run(mux)
}

// partner answers after three milliseconds.
func partner() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{to}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(3 * time.Millisecond)
		fmt.Fprintf(w, "%s (%s)", strings.ToUpper(r.URL.Query().Get("line")), r.PathValue("to"))
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
