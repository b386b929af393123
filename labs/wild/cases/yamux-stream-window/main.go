// Recordings of cameras, fetched through the tunnel that the site's gateway keeps open. The
// tunnel is a session of yamux over one TCP connection; each recording comes in a stream of its own.
// The gateway, a process of its own, is 20 ms away.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/hashicorp/yamux"

	"wild/service"
)

const size = 768 << 10

func main() {
	if os.Getenv("ROLE") == "gateway" {
		gateway()
		return
	}
	conn, err := net.Dial("tcp", service.Beside("gateway"))
	if err != nil {
		log.Fatal(err)
	}
	config := yamux.DefaultConfig()
	if service.After() {
		config.MaxStreamWindowSize = 4 << 20
	}
	tunnel, err := yamux.Client(conn, config)
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/recording", func(w http.ResponseWriter, r *http.Request) {
		data, err := fetch(tunnel, r.FormValue("camera"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "video/mp4")
		w.Header().Set("ETag", strconv.Quote(strconv.FormatUint(uint64(crc32.ChecksumIEEE(data)), 16)))
		w.Write(data)
	})
	service.Run(http.DefaultServeMux)
}

// fetch returns what a camera recorded last.
func fetch(tunnel *yamux.Session, camera string) ([]byte, error) {
	stream, err := tunnel.Open()
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	if _, err := fmt.Fprintf(stream, "%s\n", camera); err != nil {
		return nil, err
	}
	var head [4]byte
	if _, err := io.ReadFull(stream, head[:]); err != nil {
		return nil, err
	}
	data := make([]byte, binary.BigEndian.Uint32(head[:]))
	_, err = io.ReadFull(stream, data)
	return data, err
}

func gateway() {
	recording := make([]byte, 4+size)
	binary.BigEndian.PutUint32(recording, size)
	for i := range size {
		recording[4+i] = byte(i * i >> 8)
	}
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
			go serve(c, recording)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

func serve(c net.Conn, recording []byte) {
	here, there := net.Pipe()
	go service.Carry(here, c, 20*time.Millisecond)
	go service.Carry(c, here, 20*time.Millisecond)
	config := yamux.DefaultConfig()
	config.LogOutput = io.Discard
	session, err := yamux.Server(there, config)
	if err != nil {
		return
	}
	for {
		stream, err := session.Accept()
		if err != nil {
			c.Close()
			return
		}
		go func() {
			defer stream.Close()
			if _, err := bufio.NewReader(stream).ReadString('\n'); err == nil {
				stream.Write(recording)
			}
		}()
	}
}
