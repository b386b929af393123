// Offers from the price lists of suppliers, which lie on an FTP server and change during the
// day, so that they are fetched for each request. The server, a process of its own, takes 1 ms for
// a command.
package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jlaffaye/ftp"

	"wild/service"
)

// suppliers reads files from the server.
type suppliers interface {
	list(name string) ([][]string, error)
}

// session is one login to the server, which does one thing at a time.
type session struct {
	mu   sync.Mutex
	conn *ftp.ServerConn
}

func (s *session) list(name string) ([][]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return retrieve(s.conn, name)
}

// sessions are several logins.
type sessions chan *ftp.ServerConn

func (s sessions) list(name string) ([][]string, error) {
	conn := <-s
	defer func() { s <- conn }()
	return retrieve(conn, name)
}

func retrieve(conn *ftp.ServerConn, name string) ([][]string, error) {
	f, err := conn.Retr(name)
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(f).ReadAll()
	if e := f.Close(); err == nil {
		err = e
	}
	return rows, err
}

func login(addr string) *ftp.ServerConn {
	conn, err := ftp.Dial(addr, ftp.DialWithTimeout(5*time.Second))
	if err != nil {
		log.Fatal(err)
	}
	if err := conn.Login("shop", "secret"); err != nil {
		log.Fatal(err)
	}
	return conn
}

func main() {
	if os.Getenv("ROLE") == "ftpd" {
		ftpd()
		return
	}
	addr := service.Beside("ftpd")
	var source suppliers
	if service.After() {
		pool := make(sessions, 16)
		for range cap(pool) {
			pool <- login(addr)
		}
		source = pool
	} else {
		source = &session{conn: login(addr)}
	}
	var turn atomic.Int64
	http.HandleFunc("/offers", func(w http.ResponseWriter, r *http.Request) {
		rows, err := source.list(fmt.Sprintf("supplier-%d.csv", turn.Add(1)%8))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		type offer struct {
			SKU   string `json:"sku"`
			Cents int    `json:"cents"`
		}
		var best []offer
		for _, row := range rows {
			cents, err := strconv.Atoi(row[1])
			if err == nil && cents < 1500 {
				best = append(best, offer{row[0], cents * 119 / 100})
			}
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(best)
	})
	service.Run(http.DefaultServeMux)
}

func ftpd() {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "sku-%04d,%d,%d\n", i, i*7919%9000+100, i%40)
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
			go serve(c, b.String())
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// serve speaks as much of FTP as a download in extended passive mode needs.
func serve(c net.Conn, list string) {
	defer c.Close()
	data, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return
	}
	defer data.Close()
	reply := func(line string) bool {
		_, err := io.WriteString(c, line+"\r\n")
		return err == nil
	}
	reply("220 ready")
	lines := bufio.NewScanner(c)
	for lines.Scan() {
		time.Sleep(time.Millisecond)
		command, _, _ := strings.Cut(lines.Text(), " ")
		switch strings.ToUpper(command) {
		case "USER":
			reply("331 password, please")
		case "PASS":
			reply("230 welcome")
		case "FEAT":
			reply("211-Features:\r\n EPSV\r\n UTF8\r\n211 End")
		case "EPSV":
			reply(fmt.Sprintf("229 Entering Extended Passive Mode (|||%d|)", data.Addr().(*net.TCPAddr).Port))
		case "RETR":
			d, err := data.Accept()
			if err != nil || !reply("150 here it comes") {
				return
			}
			io.WriteString(d, list)
			d.Close()
			reply("226 done")
		case "QUIT":
			reply("221 bye")
			return
		default:
			reply("200 fine")
		}
	}
}
