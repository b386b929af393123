// Arrivals of ships as CloudEvents: each is told to the pilots' office, a process of its own that takes some milliseconds, before the
// harbour's event is answered.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	cloudevents "github.com/cloudevents/sdk-go/v2"
	"github.com/cloudevents/sdk-go/v2/client"
	cehttp "github.com/cloudevents/sdk-go/v2/protocol/http"

	"wild/service"
)

// arrival is a ship that comes.
type arrival struct {
	Ship   string  `json:"ship"`
	Quay   int     `json:"quay"`
	Metres float64 `json:"metres"`
	Draft  float64 `json:"draft"`
}

// pilots are at their office.
type pilots struct {
	office string
	client *http.Client
}

// tell asks for a pilot, where a ship needs one.
func (p *pilots) tell(ctx context.Context, a arrival) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.office+"/wanted", strings.NewReader(fmt.Sprintf("%s,%d,%.1f", a.Ship, a.Quay, a.Draft)))
	if err != nil {
		return err
	}
	answer, err := p.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusNoContent {
		return fmt.Errorf("pilots: %s", answer.Status)
	}
	return nil
}

// receive takes an event.
func (p *pilots) receive(ctx context.Context, e cloudevents.Event) cloudevents.Result {
	var a arrival
	if err := e.DataAs(&a); err != nil || a.Ship == "" {
		return cehttp.NewResult(http.StatusBadRequest, "an arrival is of a ship: %v", err)
	}
	if a.Metres < 40 {
		return cehttp.NewResult(http.StatusAccepted, "%s needs no pilot", a.Ship)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := p.tell(ctx, a); err != nil {
		return cehttp.NewResult(http.StatusBadGateway, "%w", err)
	}
	return cehttp.NewResult(http.StatusAccepted, "%s gets a pilot", a.Ship)
}

func main() {
	if os.Getenv("ROLE") == "office" {
		office()
		return
	}
	p := &pilots{"http://" + service.Beside("office"), &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	protocol, err := cehttp.New(cehttp.WithListener(service.Listen()), cehttp.WithPath("/arrivals"))
	if err != nil {
		log.Fatal(err)
	}
	var options []client.Option
	if !service.After() {
		options = append(options, client.WithBlockingCallback())
	}
	c, err := client.New(protocol, options...)
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Println(c.StartReceiver(context.Background(), p.receive)) }()
	service.Wait()
}

// office takes six milliseconds to find a pilot.
func office() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /wanted", func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		time.Sleep(6 * time.Millisecond)
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) { json.NewEncoder(w).Encode("pilots") })
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
