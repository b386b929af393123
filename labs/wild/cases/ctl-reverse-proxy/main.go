// A gateway on net/http/httputil in front of one backend, with a transport that keeps
// its connections and a pool of buffers. The backend is a process of its own.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/handlers"

	"wild/service"
)

type buffers struct{ pool sync.Pool }

func (b *buffers) Get() []byte {
	if p, ok := b.pool.Get().(*[32 << 10]byte); ok {
		return p[:]
	}
	return make([]byte, 32<<10)
}

func (b *buffers) Put(p []byte) { b.pool.Put((*[32 << 10]byte)(p)) }

func main() {
	if os.Getenv("ROLE") == "backend" {
		backend()
		return
	}
	target, err := url.Parse("http://" + service.Beside("backend"))
	if err != nil {
		log.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.SetXForwarded()
		},
		Transport:  &http.Transport{MaxIdleConns: 128, MaxIdleConnsPerHost: 128, IdleConnTimeout: 90 * time.Second},
		BufferPool: new(buffers),
	}
	service.Run(handlers.ProxyHeaders(handlers.RecoveryHandler()(proxy)))
}

func backend() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	page := []byte(strings.Repeat("<li>one line of the page that the backend has</li>\n", 60))
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write(page)
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
