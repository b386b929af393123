// A chat on gorilla/websocket with 200 members that say next to nothing, and beside it
// the page with the list of rooms, which is what the load asks for. The members are a
// process of its own.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"wild/service"
)

const members = 200

type room struct {
	Name    string `json:"name"`
	Members int64  `json:"members"`
	Topic   string `json:"topic"`
}

// hub owns the set of members; what joins, leaves and is said reaches it by channels.
type hub struct {
	join, leave chan *member
	say         chan []byte
	count       atomic.Int64
}

type member struct {
	conn *websocket.Conn
	send chan []byte
}

func (h *hub) run() {
	all := make(map[*member]bool)
	for {
		select {
		case m := <-h.join:
			all[m] = true
		case m := <-h.leave:
			if all[m] {
				delete(all, m)
				close(m.send)
			}
		case text := <-h.say:
			for m := range all {
				select {
				case m.send <- text:
				default: // too slow: it misses this one
				}
			}
		}
		h.count.Store(int64(len(all)))
	}
}

func (m *member) write() {
	ping := time.NewTicker(5 * time.Second)
	defer ping.Stop()
	defer m.conn.Close()
	for {
		select {
		case text, ok := <-m.send:
			if !ok || m.conn.WriteMessage(websocket.TextMessage, text) != nil {
				return
			}
		case <-ping.C:
			if m.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Second)) != nil {
				return
			}
		}
	}
}

func (m *member) read(h *hub) {
	defer func() { h.leave <- m }()
	for {
		_, text, err := m.conn.ReadMessage()
		if err != nil {
			return
		}
		h.say <- text
	}
}

func main() {
	if os.Getenv("ROLE") == "members" {
		talk("ws://127.0.0.1:" + os.Getenv("PORT") + "/chat")
		return
	}
	h := &hub{join: make(chan *member), leave: make(chan *member), say: make(chan []byte)}
	go h.run()

	upgrader := websocket.Upgrader{ReadBufferSize: 1024, WriteBufferSize: 1024}
	http.HandleFunc("/chat", func(w http.ResponseWriter, r *http.Request) {
		conn, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		m := &member{conn: conn, send: make(chan []byte, 16)}
		h.join <- m
		go m.write()
		go m.read(h)
	})
	topics := []string{"lobby", "go", "gardening", "music", "rowing", "maps"}
	http.HandleFunc("/rooms", func(w http.ResponseWriter, r *http.Request) {
		rooms := make([]room, 0, len(topics))
		for i, t := range topics {
			rooms = append(rooms, room{Name: t, Members: h.count.Load() / int64(i+1), Topic: "all about " + t})
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(rooms)
	})
	start("members")
	service.Run(http.DefaultServeMux)
}

// talk joins the chat with all members. One of them says a word each second.
func talk(url string) {
	go func() { // ends with its parent
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	for i := range members {
		var conn *websocket.Conn
		for {
			var err error
			if conn, _, err = websocket.DefaultDialer.Dial(url, nil); err == nil {
				break
			}
			time.Sleep(20 * time.Millisecond) // the chat is about to open its port
		}
		go func() {
			for {
				if _, _, err := conn.ReadMessage(); err != nil {
					return
				}
			}
		}()
		if i == 0 {
			go func() {
				for n := range time.Tick(time.Second) {
					if conn.WriteMessage(websocket.TextMessage, []byte(fmt.Sprint("hello at ", n.Unix()))) != nil {
						return
					}
				}
			}()
		}
	}
	select {}
}

var child *exec.Cmd

// start runs this program again in another role.
func start(role string) {
	child = exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "ROLE="+role)
	child.Stderr = os.Stderr
	if _, err := child.StdinPipe(); err != nil {
		log.Fatal(err)
	}
	if err := child.Start(); err != nil {
		log.Fatal(err)
	}
}
