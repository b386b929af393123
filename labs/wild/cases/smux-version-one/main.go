// Cameras of a ferry: what each sees now is a small picture, and what it saw of a crossing is a long film. Both are asked of
// the recorder, a process of its own, over one session of smux; a film is read as fast as the tape takes it.
package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/xtaci/smux"

	"wild/service"
)

const picture, film = 6 << 10, 12 << 20

func config() *smux.Config {
	c := smux.DefaultConfig()
	if service.After() {
		c.Version = 2
		c.MaxStreamBuffer = 512 << 10
	}
	return c
}

// ferry asks the recorder.
type ferry struct{ recorder *smux.Session }

func open(address string) (*ferry, error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	s, err := smux.Client(c, config())
	return &ferry{s}, err
}

// ask opens a stream with what a camera has.
func (f *ferry) ask(what byte, camera int) (*smux.Stream, error) {
	s, err := f.recorder.OpenStream()
	if err != nil {
		return nil, err
	}
	if _, err := s.Write([]byte{what, byte(camera)}); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// now is the picture of a camera.
func (f *ferry) now(camera int) ([]byte, error) {
	s, err := f.ask('p', camera)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	b := make([]byte, picture)
	_, err = io.ReadFull(s, b)
	return b, err
}

// tape takes thirty megabytes a second.
func (f *ferry) tape(camera int) (sum uint32, err error) {
	s, err := f.ask('f', camera)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	part := make([]byte, 300<<10)
	for left := film; left > 0; {
		n, err := io.ReadFull(s, part[:min(left, len(part))])
		if err != nil {
			return 0, err
		}
		sum = crc32.Update(sum, crc32.IEEETable, part[:n])
		left -= n
		time.Sleep(10 * time.Millisecond)
	}
	return sum, nil
}

func main() {
	if os.Getenv("ROLE") == "recorder" {
		recorder()
		return
	}
	f, err := open(service.Beside("recorder"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	camera := func(r *http.Request) (int, error) {
		n, err := strconv.Atoi(r.PathValue("camera"))
		if err != nil || n < 1 || n > 40 {
			return 0, errors.New("cameras are 1 to 40")
		}
		return n, nil
	}
	mux.HandleFunc("GET /cameras/{camera}/now", func(w http.ResponseWriter, r *http.Request) {
		n, err := camera(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		b, err := f.now(n)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "image/x-portable-graymap")
		w.Write(b)
	})
	mux.HandleFunc("POST /cameras/{camera}/tape", func(w http.ResponseWriter, r *http.Request) {
		n, err := camera(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		sum, err := f.tape(n)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintf(w, `{"camera":%d,"sum":"%08x"}`, n, sum)
	})
	service.Run(mux)
}

// recorder has pictures and films.
func recorder() {
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
			s, err := smux.Server(c, config())
			if err != nil {
				log.Println(err)
				return
			}
			go func() {
				for {
					stream, err := s.AcceptStream()
					if err != nil {
						return
					}
					go play(stream)
				}
			}()
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// play sends what is asked for.
func play(s *smux.Stream) {
	defer s.Close()
	asked := make([]byte, 2)
	if _, err := io.ReadFull(s, asked); err != nil {
		return
	}
	frame := bytes.Repeat(binary.BigEndian.AppendUint32(nil, uint32(asked[1])*2654435761), picture/4)
	n := 1
	if asked[0] == 'f' {
		n = film / picture
	}
	for range n {
		if _, err := s.Write(frame); err != nil {
			return
		}
	}
}
