// Lockers of a station: whether a locker is free, and what it costs, is answered from memory, and what was asked is logged, line by
// line, to a collector, a process of its own that stops to index each 32 KB, for 80 ms.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"github.com/rs/zerolog/diode"

	"wild/service"
)

// locker is one of a wall of them.
type locker struct {
	Size  string `json:"size"`
	Free  bool   `json:"free"`
	Cents int    `json:"cents"`
}

// station has walls of lockers.
type station struct {
	log zerolog.Logger
	odd atomic.Int64 // lines that were not written

	mu    sync.Mutex
	walls [12][]locker
	next  [12]int
}

func open(address string) (*station, error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	if err := c.(*net.TCPConn).SetWriteBuffer(16 << 10); err != nil {
		return nil, err
	}
	s := &station{}
	var to io.Writer = c
	if service.After() {
		to = diode.NewWriter(c, 4000, 10*time.Millisecond, func(missed int) { s.odd.Add(int64(missed)) })
	}
	s.log = zerolog.New(to).With().Timestamp().Str("service", "lockers").Str("station", "central").Logger()
	for i := range s.walls {
		for j := range 48 {
			size := []string{"small", "medium", "large"}[(i+j)%3]
			s.walls[i] = append(s.walls[i], locker{size, (i*7+j*5)%4 != 0, 200 + 150*((i+j)%3)})
		}
	}
	return s, nil
}

// offer is the next locker of a size on a wall: who asks takes it, or brings its key back.
func (s *station) offer(wall int, size string) (number int, l locker, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.walls[wall]
	for range all {
		s.next[wall] = (s.next[wall] + 1) % len(all)
		l := &all[s.next[wall]]
		if l.Size == size {
			l.Free = !l.Free
			return s.next[wall], *l, true
		}
	}
	return 0, locker{}, false
}

func (s *station) serve(w http.ResponseWriter, r *http.Request) {
	wall, err := strconv.Atoi(r.PathValue("wall"))
	if err != nil || wall < 0 || wall >= len(s.walls) {
		http.Error(w, "there is no such wall", http.StatusNotFound)
		return
	}
	size := r.FormValue("size")
	s.log.Info().Int("wall", wall).Str("size", size).Str("from", r.RemoteAddr).Str("agent", r.UserAgent()).Msg("a locker is asked for")
	number, l, ok := s.offer(wall, size)
	if !ok {
		s.log.Warn().Int("wall", wall).Str("size", size).Msg("no locker is free")
		http.Error(w, "no locker is free", http.StatusConflict)
		return
	}
	s.log.Info().Int("wall", wall).Int("locker", number).Str("size", size).Int("cents", l.Cents).Bool("free", l.Free).Msg("a locker is offered")
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"wall": wall, "number": number, "locker": l})
}

func main() {
	if os.Getenv("ROLE") == "collector" {
		collector()
		return
	}
	s, err := open(service.Beside("collector"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /walls/{wall}/locker", s.serve)
	service.Run(mux)
}

// collector takes lines.
func collector() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			if err := c.(*net.TCPConn).SetReadBuffer(16 << 10); err != nil {
				log.Fatal(err)
			}
			go func() {
				part := make([]byte, 32<<10)
				for {
					if _, err := io.ReadFull(c, part); err != nil {
						return
					}
					time.Sleep(80 * time.Millisecond)
				}
			}()
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
