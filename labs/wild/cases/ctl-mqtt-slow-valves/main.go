// Valves of a waterworks: the control room asks a valve over MQTT how far open it is. A valve answers after 25 ms, as its radio is
// slow. The broker with the valves is a process of its own.
package main

import (
	"context"
	"encoding/json"
	"errors"
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

	paho "github.com/eclipse/paho.mqtt.golang"
	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/hooks/auth"
	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/mochi-mqtt/server/v2/packets"

	"wild/service"
)

const valves = 300

var errNoValve = errors.New("no such valve")

// works asks valves, and has the questions that are not answered yet.
type works struct {
	client paho.Client
	asked  atomic.Int64
	open   sync.Map // the number of a question, and where its answer goes
}

func connect(address string) (*works, error) {
	w := new(works)
	w.client = paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + address).SetClientID("control room").SetOrderMatters(false))
	if t := w.client.Connect(); t.Wait() && t.Error() != nil {
		return nil, t.Error()
	}
	t := w.client.Subscribe("answers/#", 0, w.answered)
	t.Wait()
	return w, t.Error()
}

// answered passes on what a valve said to what asked for it.
func (w *works) answered(_ paho.Client, m paho.Message) {
	id, err := strconv.ParseInt(strings.TrimPrefix(m.Topic(), "answers/"), 10, 64)
	if err != nil {
		log.Println(err)
		return
	}
	if to, ok := w.open.LoadAndDelete(id); ok {
		to.(chan string) <- string(m.Payload())
	}
}

// ask asks a valve how far open it is, in percent.
func (w *works) ask(ctx context.Context, valve int) (string, error) {
	if valve < 0 || valve >= valves {
		return "", errNoValve
	}
	id := w.asked.Add(1)
	to := make(chan string, 1)
	w.open.Store(id, to)
	defer w.open.Delete(id)
	w.client.Publish(fmt.Sprintf("valves/%d", valve), 0, false, strconv.FormatInt(id, 10))
	select {
	case said := <-to:
		return said, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (w *works) serve(out http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("valve"))
	if err != nil {
		http.Error(out, "a valve has a number", http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
	defer cancel()
	said, err := w.ask(ctx, n)
	switch {
	case errors.Is(err, errNoValve):
		http.Error(out, err.Error(), http.StatusNotFound)
		return
	case err != nil:
		http.Error(out, "the valve does not answer", http.StatusGatewayTimeout)
		return
	}
	out.Header().Set("Content-Type", "application/json")
	json.NewEncoder(out).Encode(map[string]string{"valve": r.PathValue("valve"), "open": said})
}

func main() {
	if os.Getenv("ROLE") == "broker" {
		broker()
		return
	}
	w, err := connect(service.Beside("broker"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /valves/{valve}", w.serve)
	service.Run(mux)
}

// broker has the valves.
func broker() {
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
	err = b.Subscribe("valves/#", 1, func(_ *mqtt.Client, _ packets.Subscription, p packets.Packet) {
		valve, id := strings.TrimPrefix(p.TopicName, "valves/"), string(p.Payload)
		time.AfterFunc(25*time.Millisecond, func() {
			if err := b.Publish("answers/"+id, []byte(valve+" %"), false, 0); err != nil {
				log.Println(err)
			}
		})
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
