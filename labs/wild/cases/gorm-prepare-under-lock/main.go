// A catalogue in MySQL, read with GORM page by page: a request asks for a page of the items of a
// shop. GORM keeps prepared statements, and writes the page into the text of the query. The
// database, a process of its own that speaks as much of the protocol as a query needs, is 3 ms away.
package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"wild/service"
)

const (
	late = 3 * time.Millisecond
	page = 5
)

// item is a row of the catalogue.
type item struct {
	Name  string `json:"name"`
	Price string `json:"price"`
}

// TableName is what the table is called.
func (item) TableName() string { return "item" }

type catalogue struct {
	db     *gorm.DB
	cursor atomic.Int64
}

// items returns a page of what a shop has.
func (c *catalogue) items(ctx context.Context, shop string, number int) ([]item, error) {
	var items []item
	err := c.db.WithContext(ctx).Where("shop = ?", shop).Order("id").Limit(page).Offset(number * page).Find(&items).Error
	return items, err
}

// sums counts the items by their first letter, and says what they cost.
func sums(items []item) (map[string]int, float64) {
	letters, total := map[string]int{}, 0.0
	for _, i := range items {
		letters[strings.ToUpper(i.Name[:1])]++
		price, err := strconv.ParseFloat(i.Price, 64)
		if err == nil {
			total += price
		}
	}
	return letters, total
}

func main() {
	if os.Getenv("ROLE") == "mysql" {
		database()
		return
	}
	db, err := gorm.Open(mysql.New(mysql.Config{
		DSN: "app@tcp(" + service.Beside("mysql") + ")/shop", SkipInitializeWithVersion: true,
	}), &gorm.Config{PrepareStmt: true, Logger: logger.Discard})
	if err != nil {
		log.Fatal(err)
	}
	pool, err := db.DB()
	if err != nil {
		log.Fatal(err)
	}
	pool.SetMaxOpenConns(32)
	pool.SetMaxIdleConns(32)
	c := &catalogue{db: db}
	http.HandleFunc("/items", func(w http.ResponseWriter, r *http.Request) {
		items, err := c.items(r.Context(), r.FormValue("shop"), int(c.cursor.Add(1)))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		letters, total := sums(items)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"items": items, "letters": letters, "total": total})
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
	c    net.Conn
	seq  byte
	out  []byte
	next uint32
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
		time.Sleep(late)
		switch p[0] {
		case 0x03: // COM_QUERY
			s.rows(nil)
		case 0x16: // COM_STMT_PREPARE
			s.next++
			n := strings.Count(string(p), "?")
			head := binary.LittleEndian.AppendUint32([]byte{0}, s.next)
			s.put(append(head, 2, 0, byte(n), 0, 0, 0, 0))
			for range n {
				s.put(column("?"))
			}
			s.put(eofPacket)
			s.put(column("name"))
			s.put(column("price"))
			s.put(eofPacket)
		case 0x17: // COM_STMT_EXECUTE
			s.rows([]byte{0, 0})
		default:
			s.put(okPacket)
		}
		if s.flush() != nil {
			return
		}
	}
}

// rows answers with a page; those of a prepared statement have a head.
func (s *session) rows(head []byte) {
	s.put([]byte{2})
	s.put(column("name"))
	s.put(column("price"))
	s.put(eofPacket)
	for _, name := range []string{"lamp", "desk", "shelf", "chair", "clock"} {
		s.put(append(append(append([]byte(nil), head...), text(name)...), text("19.90")...))
	}
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
