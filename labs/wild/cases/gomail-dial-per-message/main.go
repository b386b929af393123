// Confirmations by mail, through gomail: each request sends one. The mail server, a
// process of its own, looks at each client for 10 ms before it greets it, and takes 2 ms
// for a message.
package main

import (
	"bufio"
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

	"gopkg.in/gomail.v2"

	"wild/service"
)

const places = 32

func main() {
	if os.Getenv("ROLE") == "smtp" {
		smtp()
		return
	}
	host, port, err := net.SplitHostPort(service.Beside("smtp"))
	if err != nil {
		log.Fatal(err)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		log.Fatal(err)
	}
	dialer := &gomail.Dialer{Host: host, Port: number}
	send := func(m *gomail.Message) error { return dialer.DialAndSend(m) }
	if service.After() {
		open := make(chan gomail.SendCloser, places)
		for range places {
			s, err := dialer.Dial()
			if err != nil {
				log.Fatal(err)
			}
			open <- s
		}
		send = func(m *gomail.Message) error {
			s := <-open
			defer func() { open <- s }()
			return gomail.Send(s, m) // dials again if the server has closed
		}
	}

	var seq atomic.Int64
	http.HandleFunc("/confirm", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		m := gomail.NewMessage()
		m.SetHeader("From", "shop@example.com")
		m.SetHeader("To", fmt.Sprintf("customer%d@example.com", n))
		m.SetHeader("Subject", fmt.Sprint("Your order ", n))
		m.SetBody("text/plain", "Thank you. It is on its way.")
		if err := send(m); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintln(w, "sent")
	})
	service.Run(http.DefaultServeMux)
}

func smtp() {
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
			go serve(c)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

func serve(c net.Conn) {
	defer c.Close()
	time.Sleep(10 * time.Millisecond)
	fmt.Fprint(c, "220 mail.example.com\r\n")
	in := bufio.NewReader(c)
	for body := false; ; {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch verb, _, _ := strings.Cut(strings.TrimSpace(line), " "); {
		case body && verb == ".":
			body = false
			time.Sleep(2 * time.Millisecond)
			fmt.Fprint(c, "250 taken\r\n")
		case body:
		case verb == "EHLO":
			fmt.Fprint(c, "250-mail.example.com\r\n250 8BITMIME\r\n")
		case verb == "DATA":
			body = true
			fmt.Fprint(c, "354 go on\r\n")
		case verb == "QUIT":
			fmt.Fprint(c, "221 bye\r\n")
			return
		default:
			fmt.Fprint(c, "250 ok\r\n")
		}
	}
}
