// Labels of parcels are drawn by sixteen workers, which are told of them over a topic of
// watermill within the process; a request waits until its own is there. The printer that a worker
// asks for a label is a process of its own and takes 5 ms.
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
	"sync"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"

	"wild/service"
)

const workers = 16

type order struct {
	Customer string   `json:"customer"`
	Items    []string `json:"items"`
}

type office struct {
	bus     *gochannel.GoChannel
	waiting sync.Map // of a message's number, the channel for its label
	printer string
	client  *http.Client
}

func main() {
	if os.Getenv("ROLE") == "printer" {
		serve()
		return
	}
	o := &office{
		bus:     gochannel.NewGoChannel(gochannel.Config{OutputChannelBuffer: 256}, watermill.NopLogger{}),
		printer: "http://" + service.Beside("printer") + "/label?for=",
		client:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers}, Timeout: 5 * time.Second},
	}
	jobs, err := o.bus.Subscribe(context.Background(), "labels")
	if err != nil {
		log.Fatal(err)
	}
	for range workers {
		go o.work(jobs)
	}
	http.HandleFunc("/labels", o.order)
	service.Run(http.DefaultServeMux)
}

func (o *office) order(w http.ResponseWriter, r *http.Request) {
	var in order
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m := message.NewMessage(watermill.NewULID(), []byte(in.Customer))
	m.Metadata.Set("items", fmt.Sprint(len(in.Items)))
	label := make(chan string, 1)
	o.waiting.Store(m.UUID, label)
	defer o.waiting.Delete(m.UUID)
	if err := o.bus.Publish("labels", m); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	select {
	case text := <-label:
		fmt.Fprintln(w, text)
	case <-r.Context().Done():
	}
}

func (o *office) work(jobs <-chan *message.Message) {
	for m := range jobs {
		text, err := o.draw(string(m.Payload))
		if err != nil {
			m.Nack()
			continue
		}
		m.Ack()
		if label, ok := o.waiting.Load(m.UUID); ok {
			label.(chan string) <- text
		}
	}
}

func (o *office) draw(customer string) (string, error) {
	resp, err := o.client.Get(o.printer + customer)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}

func serve() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/label", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(5 * time.Millisecond)
		fmt.Fprintf(w, "parcel for %s", r.FormValue("for"))
	})
	go http.Serve(ln, nil)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
