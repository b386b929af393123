// Prices in MySQL. The database, a process of its own that speaks as much of the
// protocol as a query needs, is 4 ms away.
package main

import (
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	_ "github.com/go-sql-driver/mysql"

	"wild/service"
)

func main() {
	if os.Getenv("ROLE") == "mysql" {
		database()
		return
	}
	dsn := "app@tcp(" + service.Beside("mysql") + ")/shop"
	if service.After() {
		dsn += "?interpolateParams=true"
	}
	db, err := sql.Open("mysql", dsn)
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(32)
	db.SetMaxIdleConns(32)
	var seq atomic.Int64
	http.HandleFunc("/price", func(w http.ResponseWriter, r *http.Request) {
		var name, price string
		err := db.QueryRowContext(r.Context(), "SELECT name, price FROM item WHERE id = ? AND shop = ?", seq.Add(1)%1000, "north").
			Scan(&name, &price)
		if errors.Is(err, sql.ErrNoRows) {
			http.NotFound(w, r)
			return
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]string{"name": name, "price": price})
	})
	service.Run(http.DefaultServeMux)
}

func database() {
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
			go (&session{c: c}).serve()
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// session is one client of the database: packets of three bytes of length, a number and a payload.
type session struct {
	c   net.Conn
	seq byte
	out []byte
}

var okPacket, eofPacket = []byte{0, 0, 0, 2, 0, 0, 0}, []byte{0xfe, 0, 0, 2, 0}

func (s *session) serve() {
	defer s.c.Close()
	hello := append([]byte{10}, "8.0.36\x00\x01\x00\x00\x0012345678\x00"...)
	hello = append(hello, 0x09, 0xa2, 33, 2, 0, 0x08, 0, 21) // protocol 4.1, secure connection, plugin auth
	hello = append(hello, make([]byte, 10)...)
	hello = append(hello, "123456789012\x00mysql_native_password\x00"...)
	s.put(hello)
	if s.flush() != nil {
		return
	}
	if _, err := s.read(); err != nil {
		return
	}
	s.put(okPacket)
	if s.flush() != nil {
		return
	}
	for {
		p, err := s.read()
		if err != nil || len(p) == 0 {
			return
		}
		if p[0] == 0x19 { // COM_STMT_CLOSE has no answer
			continue
		}
		time.Sleep(4 * time.Millisecond)
		switch p[0] {
		case 0x03: // COM_QUERY
			s.columns()
			s.put(append(text("lamp"), text("19.90")...))
			s.put(eofPacket)
		case 0x16: // COM_STMT_PREPARE
			n := strings.Count(string(p), "?")
			s.put([]byte{0, 1, 0, 0, 0, 2, 0, byte(n), 0, 0, 0, 0})
			for range n {
				s.put(column("?"))
			}
			s.put(eofPacket)
			s.put(column("name"))
			s.put(column("price"))
			s.put(eofPacket)
		case 0x17: // COM_STMT_EXECUTE
			s.columns()
			s.put(append([]byte{0, 0}, append(text("lamp"), text("19.90")...)...))
			s.put(eofPacket)
		default:
			s.put(okPacket)
		}
		if s.flush() != nil {
			return
		}
	}
}

func (s *session) columns() {
	s.put([]byte{2})
	s.put(column("name"))
	s.put(column("price"))
	s.put(eofPacket)
}

func (s *session) read() ([]byte, error) {
	var h [4]byte
	if _, err := io.ReadFull(s.c, h[:]); err != nil {
		return nil, err
	}
	s.seq = h[3] + 1
	p := make([]byte, int(h[0])|int(h[1])<<8|int(h[2])<<16)
	_, err := io.ReadFull(s.c, p)
	return p, err
}

func (s *session) put(p []byte) {
	s.out = append(s.out, byte(len(p)), byte(len(p)>>8), byte(len(p)>>16), s.seq)
	s.out = append(s.out, p...)
	s.seq++
}

func (s *session) flush() error {
	_, err := s.c.Write(s.out)
	s.out = s.out[:0]
	return err
}

func text(v string) []byte { return append([]byte{byte(len(v))}, v...) }

// column defines a column of type VARCHAR.
func column(name string) []byte {
	var p []byte
	for _, v := range []string{"def", "shop", "item", "item", name, name} {
		p = append(p, text(v)...)
	}
	p = append(p, 0x0c, 33, 0)
	p = binary.LittleEndian.AppendUint32(p, 255)
	return append(p, 0xfd, 0, 0, 0, 0, 0)
}
