// Routes of a taxi office: how long it takes from one place to another says the router of the office, which is a process
// of its own and is spoken to over ZeroMQ.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zeromq/zmq4"

	"wild/service"
)

// ride is what is asked for, and how long it takes.
type ride struct {
	From    string `json:"from"`
	To      string `json:"to"`
	Minutes int    `json:"minutes"`
	Cents   int    `json:"cents"`
}

// line is a socket to the router: what is asked on it is answered before the next can be asked.
type line struct {
	mu   sync.Mutex
	sock zmq4.Socket
}

func (l *line) ask(question []byte) ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.sock.Send(zmq4.NewMsg(question)); err != nil {
		return nil, err
	}
	answer, err := l.sock.Recv()
	if err != nil {
		return nil, err
	}
	return answer.Bytes(), nil
}

// office asks the router.
type office struct {
	lines []*line
	turn  atomic.Uint32
}

func open(router string) (*office, error) {
	o := &office{}
	lines := 1
	if service.After() {
		lines = 32
	}
	for i := range lines {
		s := zmq4.NewReq(context.Background(), zmq4.WithID(zmq4.SocketIdentity(fmt.Sprint("office-", i))))
		if err := s.Dial(router); err != nil {
			return nil, err
		}
		o.lines = append(o.lines, &line{sock: s})
	}
	return o, nil
}

var errPlace = errors.New("a ride has a from and a to that differ")

func (o *office) ride(r ride) (ride, error) {
	if r.From == "" || r.To == "" || r.From == r.To {
		return r, errPlace
	}
	question, err := json.Marshal([]string{r.From, r.To})
	if err != nil {
		return r, err
	}
	l := o.lines[int(o.turn.Add(1))%len(o.lines)]
	answer, err := l.ask(question)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(answer, &r.Minutes); err != nil {
		return r, err
	}
	r.Cents = 390 + 140*r.Minutes
	return r, nil
}

func main() {
	if os.Getenv("ROLE") == "router" {
		serveRouter()
		return
	}
	o, err := open(service.Beside("router"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /rides", func(w http.ResponseWriter, r *http.Request) {
		out, err := o.ride(ride{From: r.FormValue("from"), To: r.FormValue("to")})
		switch {
		case errors.Is(err, errPlace):
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(mux)
}

// serveRouter takes 3 ms for a route, and works on all that it is asked at once.
func serveRouter() {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	address := "tcp://" + free.Addr().String()
	free.Close()
	s := zmq4.NewRouter(context.Background(), zmq4.WithID(zmq4.SocketIdentity("router")))
	if err := s.Listen(address); err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			m, err := s.Recv()
			if err != nil {
				log.Fatal(err)
			}
			go func() {
				time.Sleep(3 * time.Millisecond)
				h := fnv.New32a()
				h.Write(m.Frames[len(m.Frames)-1])
				if err := s.SendMulti(zmq4.NewMsgFrom(m.Frames[0], nil, fmt.Append(nil, 3+h.Sum32()%50))); err != nil {
					log.Println(err)
				}
			}()
		}
	}()
	fmt.Println(address)
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
