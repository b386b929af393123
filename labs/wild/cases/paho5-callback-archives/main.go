// Lockers of a parcel service, by MQTT: a request opens one, and is answered when the locker has said that it is open. What a locker says is
// kept in an archive, which takes 2 ms. Broker, lockers and archive are a process elsewhere.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/eclipse/paho.golang/paho"
	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/hooks/auth"
	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/mochi-mqtt/server/v2/packets"

	"wild/service"
)

// depot has lockers.
type depot struct {
	archive string
	http    *http.Client
	mqtt    *paho.Client
	count   atomic.Int64
	waiting sync.Map // of what is asked, by number, the channel that is told
}

func open(ctx context.Context, broker, archive string) (*depot, error) {
	d := &depot{
		archive: "http://" + archive + "/said",
		http:    &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
	}
	conn, err := net.Dial("tcp", broker)
	if err != nil {
		return nil, err
	}
	d.mqtt = paho.NewClient(paho.ClientConfig{Conn: conn, OnPublishReceived: []func(paho.PublishReceived) (bool, error){d.received}})
	if _, err := d.mqtt.Connect(ctx, &paho.Connect{ClientID: "depot", KeepAlive: 30, CleanStart: true}); err != nil {
		return nil, err
	}
	_, err = d.mqtt.Subscribe(ctx, &paho.Subscribe{Subscriptions: []paho.SubscribeOptions{{Topic: "opened/#"}}})
	return d, err
}

// received is called with what a locker says.
func (d *depot) received(p paho.PublishReceived) (bool, error) {
	if service.After() {
		go d.keep(p.Packet)
	} else {
		d.keep(p.Packet)
	}
	return true, nil
}

// keep writes to the archive, and tells who waits.
func (d *depot) keep(p *paho.Publish) {
	resp, err := d.http.Post(d.archive, "text/plain", strings.NewReader(p.Topic+" "+string(p.Payload)))
	if err != nil {
		log.Println(err)
		return
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	if told, ok := d.waiting.Load(string(p.Payload)); ok {
		told.(chan struct{}) <- struct{}{}
	}
}

func (d *depot) serve(w http.ResponseWriter, r *http.Request) {
	number, told := strconv.FormatInt(d.count.Add(1), 10), make(chan struct{}, 1)
	d.waiting.Store(number, told)
	defer d.waiting.Delete(number)
	locker := r.PathValue("locker")
	if _, err := d.mqtt.Publish(r.Context(), &paho.Publish{Topic: "open/" + locker, Payload: []byte(number)}); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	select {
	case <-told:
	case <-r.Context().Done():
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]string{"locker": locker, "state": "open"})
}

func main() {
	if os.Getenv("ROLE") == "broker" {
		serveBroker()
		return
	}
	broker, archive, _ := strings.Cut(service.Beside("broker"), " ")
	d, err := open(context.Background(), broker, archive)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /lockers/{locker}/open", d.serve)
	service.Run(mux)
}

// serveBroker carries messages, opens lockers, and archives.
func serveBroker() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	b := mqtt.New(&mqtt.Options{InlineClient: true, Logger: slog.New(slog.DiscardHandler)})
	if err := b.AddHook(new(auth.AllowHook), nil); err != nil {
		log.Fatal(err)
	}
	if err := b.AddListener(listeners.NewNet("all", ln)); err != nil {
		log.Fatal(err)
	}
	if err := b.Serve(); err != nil {
		log.Fatal(err)
	}
	err = b.Subscribe("open/#", 1, func(_ *mqtt.Client, _ packets.Subscription, p packets.Packet) {
		topic, number := "opened/"+strings.TrimPrefix(p.TopicName, "open/"), append([]byte(nil), p.Payload...)
		go b.Publish(topic, number, false, 0)
	})
	if err != nil {
		log.Fatal(err)
	}
	archive, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(archive, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(2 * time.Millisecond)
	}))
	fmt.Println(ln.Addr(), archive.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
