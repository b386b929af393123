// A service whose worth of each fix is known: a lock that is held for 3 ms, and a
// function that takes most of the CPU.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

var fixed = flag.Bool("fixed", false, "without the fault")

type store struct {
	mu sync.Mutex
	n  int
}

func (s *store) next() int {
	if *fixed {
		time.Sleep(3 * time.Millisecond)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !*fixed {
		time.Sleep(3 * time.Millisecond)
	}
	s.n++
	return s.n
}

// stretch is two thirds of the work.
func stretch() [32]byte {
	sum := sha256.Sum256(nil)
	for i := 0; i < 24000; i++ {
		sum = sha256.Sum256(sum[:])
	}
	return sum
}

// rest is what is left of it.
func rest() [32]byte {
	sum := sha256.Sum256(nil)
	for i := 0; i < 12000; i++ {
		sum = sha256.Sum256(sum[:])
	}
	return sum
}

func main() {
	flag.Parse()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var s store
	http.HandleFunc("/lock", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, s.next()) })
	http.HandleFunc("/cpu", func(w http.ResponseWriter, _ *http.Request) {
		if !*fixed {
			fmt.Fprintf(w, "%x", stretch())
		}
		fmt.Fprintf(w, "%x\n", rest())
	})
	_ = http.Serve(ln, nil)
}
