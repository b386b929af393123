// Reminders of a clinic: a patient is sent a text message on the eve of an appointment, by the operator's gateway, a process elsewhere, which
// takes 4 ms for one and takes many at a time. Messages are sent in a pool of goroutines, so that a panic in one is caught.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/bytedance/gopkg/util/gopool"

	"wild/service"
)

// reminder is what a patient is told.
type reminder struct {
	Phone string `json:"phone"`
	Hour  string `json:"hour"`
}

// clinic sends reminders.
type clinic struct {
	texts   gopool.Pool
	client  *http.Client
	gateway string
}

func open(address string) *clinic {
	workers := int32(6)
	if service.After() {
		workers = 64
	}
	return &clinic{
		texts:   gopool.NewPool("texts", workers, gopool.NewConfig()),
		client:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
		gateway: "http://" + address + "/texts/",
	}
}

// send hands a message to the gateway.
func (c *clinic) send(to, text string) error {
	resp, err := c.client.Post(c.gateway+to, "text/plain", strings.NewReader(text))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the gateway says %s", resp.Status)
	}
	return nil
}

// remind has a message sent, and waits until it is.
func (c *clinic) remind(to, text string) error {
	sent := make(chan error, 1)
	c.texts.Go(func() { sent <- c.send(to, text) })
	return <-sent
}

func (c *clinic) serve(w http.ResponseWriter, r *http.Request) {
	var in reminder
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Phone == "" {
		http.Error(w, "who is reminded?", http.StatusBadRequest)
		return
	}
	if err := c.remind(in.Phone, "Tomorrow at "+in.Hour+" at the clinic. Call us if you cannot come."); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	if os.Getenv("ROLE") == "gateway" {
		gateway()
		return
	}
	c := open(service.Beside("gateway"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /reminders", c.serve)
	service.Run(mux)
}

// gateway takes messages.
func gateway() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(4 * time.Millisecond)
		io.WriteString(w, "on its way")
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
