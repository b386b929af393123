// Downloads of reports that lie with a partner, fetched over SFTP with pkg/sftp and
// passed on with their checksum as a trailer. The partner, a process of its own, is 2 ms away.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/pkg/sftp"

	"wild/service"
)

const size = 256 << 10

func main() {
	if os.Getenv("ROLE") == "partner" {
		partner()
		return
	}
	conn, err := net.Dial("tcp", service.Beside("partner"))
	if err != nil {
		log.Fatal(err)
	}
	// Without SSH below it: its ciphers are not what this is about.
	client, err := sftp.NewClientPipe(conn, conn)
	if err != nil {
		log.Fatal(err)
	}
	fetch := func(w io.Writer, f *sftp.File) ([]byte, error) {
		sum := sha256.New()
		_, err := io.Copy(w, io.TeeReader(f, sum))
		return sum.Sum(nil), err
	}
	if service.After() {
		fetch = func(w io.Writer, f *sftp.File) ([]byte, error) {
			sum := sha256.New()
			_, err := f.WriteTo(io.MultiWriter(w, sum))
			return sum.Sum(nil), err
		}
	}
	http.HandleFunc("/report", func(w http.ResponseWriter, r *http.Request) {
		f, err := client.Open("report.csv")
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer f.Close()
		w.Header().Set("Content-Type", "text/csv")
		w.Header().Set("Trailer", "X-Checksum")
		sum, err := fetch(w, f)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("X-Checksum", hex.EncodeToString(sum))
	})
	service.Run(http.DefaultServeMux)
}

func partner() {
	dir, err := os.MkdirTemp("", "partner-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	text := bytes.Repeat([]byte("2026-01-02,17,9.50\n"), size/19+1)[:size]
	if err := os.WriteFile(filepath.Join(dir, "report.csv"), text, 0o600); err != nil {
		log.Fatal(err)
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
			go serve(c, dir)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

func serve(c net.Conn, dir string) {
	here, there := net.Pipe()
	go service.Carry(here, c, 2*time.Millisecond)
	go service.Carry(c, here, 2*time.Millisecond)
	srv, err := sftp.NewServer(there, sftp.ReadOnly(), sftp.WithServerWorkingDirectory(dir))
	if err != nil {
		return
	}
	srv.Serve()
	c.Close()
}
