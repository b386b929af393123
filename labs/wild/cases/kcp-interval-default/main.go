// A lobby of a game: a request asks a world for the ground around a place and counts what is on
// it. Lobby and worlds speak over sessions of KCP; the world is a process of its own, and what it
// answers is some 60 kilobytes.
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/xtaci/kcp-go/v5"

	"wild/service"
)

const (
	sessions = 16
	side     = 245 // of the ground, in fields of a byte
)

var kinds = []string{"grass", "water", "rock", "wood"}

// tune sets what both ends of a session are to keep to.
func tune(s *kcp.UDPSession) {
	s.SetStreamMode(true)
	if service.After() {
		s.SetNoDelay(1, 10, 2, 1)
		s.SetWindowSize(256, 256)
		s.SetACKNoDelay(true)
	}
}

type lobby struct{ free chan *kcp.UDPSession }

func (l *lobby) ask(place uint32) (map[string]int, error) {
	s := <-l.free
	defer func() { l.free <- s }()
	s.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := s.Write(binary.BigEndian.AppendUint32(nil, place)); err != nil {
		return nil, fmt.Errorf("ask for %d: %w", place, err)
	}
	var head [8]byte
	if _, err := io.ReadFull(s, head[:]); err != nil {
		return nil, fmt.Errorf("answer for %d: %w", place, err)
	}
	ground := make([]byte, binary.BigEndian.Uint32(head[:]))
	if _, err := io.ReadFull(s, ground); err != nil {
		return nil, fmt.Errorf("answer for %d: %w", place, err)
	}
	if crc32.ChecksumIEEE(ground) != binary.BigEndian.Uint32(head[4:]) {
		return nil, fmt.Errorf("answer for %d: checksum", place)
	}
	var counts [4]int
	for _, field := range ground {
		counts[field%4]++
	}
	on := make(map[string]int)
	for i, kind := range kinds {
		on[kind] = counts[i]
	}
	return on, nil
}

func main() {
	if os.Getenv("ROLE") == "world" {
		world()
		return
	}
	address := service.Beside("world")
	l := &lobby{free: make(chan *kcp.UDPSession, sessions)}
	for range sessions {
		s, err := kcp.DialWithOptions(address, nil, 0, 0)
		if err != nil {
			log.Fatal(err)
		}
		tune(s)
		l.free <- s
	}
	http.HandleFunc("/ground", func(w http.ResponseWriter, r *http.Request) {
		place, err := strconv.ParseUint(r.FormValue("place"), 10, 32)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		on, err := l.ask(uint32(place))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(on)
	})
	service.Run(http.DefaultServeMux)
}

func world() {
	ln, err := kcp.ListenWithOptions("127.0.0.1:0", nil, 0, 0)
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			s, err := ln.AcceptKCP()
			if err != nil {
				return
			}
			tune(s)
			go answer(s)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

func answer(s *kcp.UDPSession) {
	defer s.Close()
	var place [4]byte
	for {
		if _, err := io.ReadFull(s, place[:]); err != nil {
			return
		}
		n := binary.BigEndian.Uint32(place[:])
		ground := make([]byte, side*side)
		for i := range ground {
			ground[i] = byte(n + uint32(i*i)>>7)
		}
		out := binary.BigEndian.AppendUint32(nil, uint32(len(ground)))
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(ground))
		if _, err := s.Write(append(out, ground...)); err != nil {
			return
		}
	}
}
