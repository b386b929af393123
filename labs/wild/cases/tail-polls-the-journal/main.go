// Labels of a parcel shop: a label is printed by the printer's own program, which says in its journal, a file, when one is
// done. The desk waits for that, and hands the parcel over.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nxadm/tail"

	"wild/service"
)

// desk has labels printed.
type desk struct {
	mu      sync.Mutex
	waiting map[string]chan string // by number
	printer net.Conn
	numbers atomic.Int64
}

func open(address, journal string) (*desk, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	d := &desk{waiting: map[string]chan string{}, printer: conn}
	t, err := tail.TailFile(journal, tail.Config{Follow: true, MustExist: true, Poll: !service.After(), Logger: tail.DiscardingLogger})
	if err != nil {
		return nil, err
	}
	go d.follow(t)
	return d, nil
}

// follow reads the journal: a line is a number and what became of it.
func (d *desk) follow(t *tail.Tail) {
	for line := range t.Lines {
		number, what, _ := strings.Cut(line.Text, " ")
		d.mu.Lock()
		done, ok := d.waiting[number]
		delete(d.waiting, number)
		d.mu.Unlock()
		if ok {
			done <- what
		}
	}
}

var errPrinter = errors.New("the printer does not answer")

// print has a label printed, and returns when it is.
func (d *desk) print(to, kind string) (number, what string, err error) {
	number = fmt.Sprintf("L%06d", d.numbers.Add(1))
	done := make(chan string, 1)
	d.mu.Lock()
	d.waiting[number] = done
	_, err = fmt.Fprintf(d.printer, "%s %s %s\n", number, kind, to)
	d.mu.Unlock()
	if err != nil {
		return number, "", err
	}
	select {
	case what = <-done:
		return number, what, nil
	case <-time.After(3 * time.Second):
		d.mu.Lock()
		delete(d.waiting, number)
		d.mu.Unlock()
		return number, "", errPrinter
	}
}

func main() {
	if os.Getenv("ROLE") == "printer" {
		servePrinter()
		return
	}
	dir, err := os.MkdirTemp("", "labels")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	journal := filepath.Join(dir, "printer.journal")
	if err := os.WriteFile(journal, nil, 0o600); err != nil {
		log.Fatal(err)
	}
	d, err := open(service.Beside("printer", "JOURNAL="+journal), journal)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /labels", func(w http.ResponseWriter, r *http.Request) {
		to, kind := r.FormValue("to"), r.FormValue("kind")
		if to == "" || strings.ContainsAny(to+kind, " \n") {
			http.Error(w, "to is a place", http.StatusBadRequest)
			return
		}
		number, what, err := d.print(to, kind)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"number": number, "printed": what == "printed", "to": to})
	})
	service.Run(mux)
}

// servePrinter is the printer's program: a label takes it 2 ms, and four are printed at a time.
func servePrinter() {
	journal, err := os.OpenFile(os.Getenv("JOURNAL"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		log.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		conn, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		rows := make(chan string, 1024)
		for range 4 {
			go func() {
				for row := range rows {
					time.Sleep(2 * time.Millisecond)
					number, _, _ := strings.Cut(row, " ")
					fmt.Fprintf(journal, "%s printed\n", number)
				}
			}()
		}
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			rows <- lines.Text()
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
