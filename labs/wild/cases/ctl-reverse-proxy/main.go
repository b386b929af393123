// A gateway on net/http/httputil in front of one backend, with a transport that keeps
// its connections and a pool of buffers. The backend is a process of its own.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
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
	target, err := url.Parse("http://" + start("backend"))
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

var child *exec.Cmd

// start runs this program again in another role and returns the address that it prints.
func start(role string) string {
	child = exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "ROLE="+role)
	child.Stderr = os.Stderr
	if _, err := child.StdinPipe(); err != nil {
		log.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	if err := child.Start(); err != nil {
		log.Fatal(err)
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		log.Fatalf("%s: %v", role, err)
	}
	return strings.TrimSpace(address)
}
