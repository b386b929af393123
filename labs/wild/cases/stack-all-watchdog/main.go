// A gateway with 12,000 subscribers, each a goroutine that waits for news, and a watchdog that
// twice a second looks for goroutines that are stuck. A backend, a process of its own,
// answers in 8 ms.
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/pprof"
	"sync/atomic"
	"time"

	"wild/service"
)

const subscribers = 12_000

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}

// wait is where a subscriber waits, some calls deep as in a real one.
func wait(news <-chan string, depth int) string {
	if depth > 0 {
		return wait(news, depth-1)
	}
	return <-news
}

// stuckByStack looks through the text of all stacks.
func stuckByStack(buf []byte) int {
	n := runtime.Stack(buf, true)
	return bytes.Count(buf[:n], []byte("[sync.Mutex.Lock"))
}

// stuckByProfile looks through the goroutine profile, where equal stacks are one.
func stuckByProfile() int {
	var out bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&out, 1); err != nil {
		return 0
	}
	return bytes.Count(out.Bytes(), []byte("sync.(*Mutex).Lock"))
}

func main() {
	if os.Getenv("ROLE") == "backend" {
		backend()
		return
	}
	url := "http://" + service.Beside("backend")
	news := make(chan string)
	for range subscribers {
		go wait(news, 12)
	}
	var stuck atomic.Int64
	go func() {
		buf := make([]byte, 64<<20)
		for range time.Tick(500 * time.Millisecond) {
			if service.After() {
				stuck.Store(int64(stuckByProfile()))
			} else {
				stuck.Store(int64(stuckByStack(buf)))
			}
		}
	}()
	http.HandleFunc("/feed", func(w http.ResponseWriter, r *http.Request) {
		resp, err := client.Get(url)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		io.Copy(w, resp.Body)
	})
	http.HandleFunc("/stuck", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, stuck.Load()) })
	service.Run(http.DefaultServeMux)
}

func backend() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(8 * time.Millisecond)
		io.WriteString(w, "nothing new\n")
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
