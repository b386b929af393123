// Seats of a cinema: a page asks which are free, and what sells them, a process elsewhere, is asked, which takes 2 ms. Requests are read by
// an event loop.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/tidwall/evio"

	"wild/service"
)

// cinema has seats that others sell.
type cinema struct {
	till   string
	client *http.Client
}

// free asks for the seats of a show.
func (c *cinema) free(show string) ([]byte, error) {
	resp, err := c.client.Get("http://" + c.till + "/free/" + show)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// answer is that to one request.
func (c *cinema) answer(r *http.Request) []byte {
	status, body := "200 OK", []byte(nil)
	show, ok := strings.CutPrefix(r.URL.Path, "/shows/")
	if seats, err := c.free(show); !ok {
		status, body = "404 Not Found", []byte("no such page\n")
	} else if err != nil {
		status, body = "502 Bad Gateway", []byte(err.Error())
	} else {
		body = seats
	}
	return fmt.Appendf(nil, "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", status, len(body), body)
}

// data takes what a connection has sent.
func (c *cinema) data(conn evio.Conn, in []byte) (out []byte, action evio.Action) {
	stream := conn.Context().(*evio.InputStream)
	data := stream.Begin(in)
	for {
		end := bytes.Index(data, []byte("\r\n\r\n"))
		if end < 0 {
			break
		}
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(data[:end+4])))
		if err != nil {
			return []byte("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), evio.Close
		}
		out = append(out, c.answer(r)...)
		data = data[end+4:]
	}
	stream.End(data)
	return out, evio.None
}

func main() {
	if os.Getenv("ROLE") == "till" {
		till()
		return
	}
	c := &cinema{service.Beside("till"), &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}}
	events := evio.Events{NumLoops: 1, Data: c.data}
	if service.After() {
		events.NumLoops, events.LoadBalance = 16, evio.LeastConnections
	}
	events.Opened = func(conn evio.Conn) (out []byte, opts evio.Options, action evio.Action) {
		conn.SetContext(&evio.InputStream{})
		return
	}
	go func() { log.Fatal(evio.Serve(events, "tcp://127.0.0.1:"+os.Getenv("PORT"))) }()
	service.Wait()
}

// till sells seats.
func till() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /free/{show}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Millisecond)
		fmt.Fprintf(w, `{"show": %q, "free": ["A4", "A5", "C11", "F7"]}`, r.PathValue("show"))
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
