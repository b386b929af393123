// A bot of a bus company: a passenger writes the name of a stop, and is sent the next buses by way of the messenger, a process elsewhere that
// takes 3 ms for a message. What passengers write comes by a webhook.
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
	"sync"
	"sync/atomic"
	"time"

	tele "gopkg.in/telebot.v3"

	"wild/service"
)

// desk is where messages come in, and are answered by the bot.
type desk struct {
	bot      *tele.Bot
	messages atomic.Int64
	waiting  sync.Map // of those that are not yet answered, by their numbers
}

// Poll has nothing to ask for, for messages are brought.
func (d *desk) Poll(_ *tele.Bot, _ chan tele.Update, stop chan struct{}) { <-stop }

func open(address string) (*desk, error) {
	d := &desk{}
	var err error
	d.bot, err = tele.NewBot(tele.Settings{
		URL: "http://" + address, Token: "1:buses", Offline: true, Poller: d,
		Synchronous: !service.After(),
		Client:      &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
	})
	if err != nil {
		return nil, err
	}
	d.bot.Handle(tele.OnText, d.answer)
	go d.bot.Start()
	return d, nil
}

// answer sends the next buses from a stop.
func (d *desk) answer(c tele.Context) error {
	stop := strings.TrimSpace(c.Text())
	text := fmt.Sprintf("From %s: line %d in 4 minutes, line %d in 9", stop, len(stop)%7+1, len(stop)%5+11)
	err := c.Send(text)
	if done, ok := d.waiting.LoadAndDelete(c.Update().ID); ok {
		done.(chan error) <- err
	}
	return err
}

func (d *desk) serve(w http.ResponseWriter, r *http.Request) {
	var update tele.Update
	if err := json.NewDecoder(r.Body).Decode(&update); err != nil || update.Message == nil {
		http.Error(w, "what is written?", http.StatusBadRequest)
		return
	}
	update.ID = int(d.messages.Add(1))
	done := make(chan error, 1)
	d.waiting.Store(update.ID, done)
	d.bot.Updates <- update
	if err := <-done; err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
}

func main() {
	if os.Getenv("ROLE") == "messenger" {
		serveMessenger()
		return
	}
	d, err := open(service.Beside("messenger"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /messages", d.serve)
	service.Run(mux)
}

// serveMessenger takes messages.
func serveMessenger() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(3 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"ok":true,"result":{"message_id":7,"date":1,"chat":{"id":5,"type":"private"},"text":"sent"}}`)
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
