// A small HTTP gateway on gnet, whose event loops serve all connections. Each request asks
// the session service, a process of its own that is 5 ms away, whose session it is.
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/panjf2000/gnet/v2"
	"github.com/panjf2000/gnet/v2/pkg/pool/goroutine"

	"wild/service"
)

func main() {
	if os.Getenv("ROLE") == "sessions" {
		sessions()
		return
	}
	g := &gateway{
		url:    "http://" + service.Beside("sessions") + "/of",
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
	}
	if service.After() {
		g.pool = goroutine.Default()
	}
	go func() {
		log.Fatal(gnet.Run(g, "tcp://127.0.0.1:"+os.Getenv("PORT"), gnet.WithMulticore(true)))
	}()
	service.Wait()
}

type gateway struct {
	gnet.BuiltinEventEngine
	url    string
	client *http.Client
	pool   *goroutine.Pool
}

// OnTraffic is called by the event loop of the connection when bytes have come.
func (g *gateway) OnTraffic(c gnet.Conn) gnet.Action {
	in, err := c.Peek(-1)
	if err != nil {
		return gnet.Close
	}
	end := bytes.Index(in, []byte("\r\n\r\n"))
	if end < 0 {
		return gnet.None // the rest of the head is still to come
	}
	path := ""
	if parts := bytes.SplitN(in[:end], []byte(" "), 3); len(parts) == 3 {
		path = string(parts[1])
	}
	c.Discard(end + 4)
	if g.pool != nil {
		g.pool.Submit(func() { c.AsyncWrite(g.answer(path), nil) })
		return gnet.None
	}
	c.Write(g.answer(path))
	return gnet.None
}

// answer is the whole answer to a request.
func (g *gateway) answer(path string) []byte {
	status, body := "200 OK", []byte(nil)
	resp, err := g.client.Get(g.url + "?path=" + path)
	if err == nil {
		body, err = io.ReadAll(resp.Body)
		resp.Body.Close()
	}
	if err != nil {
		status, body = "502 Bad Gateway", []byte(err.Error())
	}
	return fmt.Appendf(nil, "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", status, len(body), body)
}

func sessions() {
	http.HandleFunc("/of", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(5 * time.Millisecond)
		fmt.Fprintf(w, `{"path":%q,"user":"ann"}`, r.FormValue("path"))
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, nil)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
