// An API to devices over MQTT: a request asks a device for its reading, and the handler of
// the replies notes each in the archive before it passes it on. The broker with the
// devices, and the archive, which takes 5 ms, are a process of their own.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/hooks/auth"
	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/mochi-mqtt/server/v2/packets"

	"wild/service"
)

type reading struct {
	ID    int64   `json:"id"`
	Value float64 `json:"value"`
}

func main() {
	if os.Getenv("ROLE") == "field" {
		field()
		return
	}
	broker, archive, _ := strings.Cut(service.Beside("field"), " ")
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}

	var waiting sync.Map // id to chan reading
	noted := func(_ paho.Client, m paho.Message) {
		var got reading
		if err := json.Unmarshal(m.Payload(), &got); err != nil {
			log.Print(err)
			return
		}
		if err := note(client, "http://"+archive, got); err != nil {
			log.Print(err)
			return
		}
		if to, ok := waiting.LoadAndDelete(got.ID); ok {
			to.(chan reading) <- got
		}
	}
	options := paho.NewClientOptions().AddBroker("tcp://" + broker).SetClientID("api")
	if service.After() {
		options.SetOrderMatters(false)
	}
	devices := paho.NewClient(options)
	if t := devices.Connect(); t.Wait() && t.Error() != nil {
		log.Fatal(t.Error())
	}
	if t := devices.Subscribe("replies/#", 0, noted); t.Wait() && t.Error() != nil {
		log.Fatal(t.Error())
	}

	var seq atomic.Int64
	http.HandleFunc("/reading", func(w http.ResponseWriter, r *http.Request) {
		id := seq.Add(1)
		reply := make(chan reading, 1)
		waiting.Store(id, reply)
		defer waiting.Delete(id)
		devices.Publish(fmt.Sprint("asks/", id%50), 0, false, fmt.Sprint(id))
		select {
		case got := <-reply:
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(got)
		case <-time.After(5 * time.Second):
			http.Error(w, "the device is silent", http.StatusGatewayTimeout)
		}
	})
	service.Run(http.DefaultServeMux)
}

func note(client *http.Client, url string, got reading) error {
	resp, err := client.Post(url, "text/plain", strings.NewReader(fmt.Sprint(got.ID, " ", got.Value)))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// field is the broker, the devices and the archive.
func field() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	broker := mqtt.New(&mqtt.Options{InlineClient: true, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err := broker.AddHook(new(auth.AllowHook), nil); err != nil {
		log.Fatal(err)
	}
	if err := broker.AddListener(listeners.NewNet("all", ln)); err != nil {
		log.Fatal(err)
	}
	if err := broker.Serve(); err != nil {
		log.Fatal(err)
	}
	err = broker.Subscribe("asks/#", 1, func(_ *mqtt.Client, _ packets.Subscription, p packets.Packet) {
		reply := fmt.Sprintf(`{"id": %s, "value": 21.5}`, p.Payload)
		if err := broker.Publish(strings.Replace(p.TopicName, "asks", "replies", 1), []byte(reply), false, 0); err != nil {
			log.Print(err)
		}
	})
	if err != nil {
		log.Fatal(err)
	}
	archive, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(archive, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(5 * time.Millisecond)
		io.Copy(io.Discard, r.Body)
		fmt.Fprintln(w, "noted")
	}))
	fmt.Println(ln.Addr(), archive.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
