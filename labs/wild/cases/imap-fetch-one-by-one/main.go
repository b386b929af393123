// Letters to a support desk: they are in a mailbox, which another machine has, and the desk's page shows the newest of
// them. Connections to the mailbox are kept.
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"

	"wild/service"
)

// letter is what is shown of one.
type letter struct {
	UID     imap.UID  `json:"uid"`
	From    string    `json:"from"`
	Subject string    `json:"subject"`
	At      time.Time `json:"at"`
	Seen    bool      `json:"seen"`
}

// desk reads the mailbox.
type desk struct{ kept chan *imapclient.Client }

func open(address string, n int) (*desk, error) {
	d := &desk{make(chan *imapclient.Client, n)}
	for range n {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return nil, err
		}
		c := imapclient.New(conn, nil)
		if err := c.Login("desk", "letters").Wait(); err != nil {
			return nil, err
		}
		if _, err := c.Select("INBOX", nil).Wait(); err != nil {
			return nil, err
		}
		d.kept <- c
	}
	return d, nil
}

var wanted = &imap.FetchOptions{UID: true, Flags: true, Envelope: true}

// newest are the last letters of a mailbox.
func (d *desk) newest(n int) (out []letter, err error) {
	c := <-d.kept
	defer func() { d.kept <- c }()
	last := c.Mailbox().NumMessages
	first := max(1, int(last)-n+1)
	var found []*imapclient.FetchMessageBuffer
	if service.After() {
		found, err = d.fetch(c, uint32(first), last)
		if err != nil {
			return nil, err
		}
	} else {
		for i := uint32(first); i <= last; i++ {
			one, err := d.fetch(c, i, i)
			if err != nil {
				return nil, err
			}
			found = append(found, one...)
		}
	}
	for _, m := range found {
		l := letter{UID: m.UID, Seen: slices.Contains(m.Flags, imap.FlagSeen)}
		if m.Envelope != nil {
			l.Subject, l.At = m.Envelope.Subject, m.Envelope.Date
			if len(m.Envelope.From) > 0 {
				l.From = m.Envelope.From[0].Addr()
			}
		}
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b letter) int { return cmp.Compare(b.UID, a.UID) })
	return out, nil
}

func (d *desk) fetch(c *imapclient.Client, from, to uint32) ([]*imapclient.FetchMessageBuffer, error) {
	var set imap.SeqSet
	set.AddRange(from, to)
	return c.Fetch(set, wanted).Collect()
}

func main() {
	if os.Getenv("ROLE") == "mailbox" {
		serveMailbox()
		return
	}
	d, err := open(service.Beside("mailbox"), 16)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /letters", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(cmp.Or(r.FormValue("n"), "10"))
		if err != nil || n < 1 || n > 50 {
			http.Error(w, "n is 1 to 50", http.StatusBadRequest)
			return
		}
		all, err := d.newest(n)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		new := 0
		for _, l := range all {
			if !l.Seen {
				new++
			}
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"letters": all, "new": new})
	})
	service.Run(mux)
}

// serveMailbox is a mailbox of sixty letters, behind a link that takes half a millisecond each way.
func serveMailbox() {
	user := imapmemserver.NewUser("desk", "letters")
	if err := user.Create("INBOX", nil); err != nil {
		log.Fatal(err)
	}
	for i := range 60 {
		text := fmt.Sprintf("From: reader%d@example.org\r\nTo: desk@example.com\r\nSubject: Question %d about lamp %d\r\nDate: Mon, 02 Nov 2026 10:%02d:00 +0000\r\nMessage-ID: <%d@example.org>\r\n\r\nWhen does it arrive?\r\n", i, i, i%9, i, i)
		options := &imap.AppendOptions{}
		if i%3 == 0 {
			options.Flags = []imap.Flag{imap.FlagSeen}
		}
		if _, err := user.Append("INBOX", literal{strings.NewReader(text), int64(len(text))}, options); err != nil {
			log.Fatal(err)
		}
	}
	mem := imapmemserver.New()
	mem.AddUser(user)
	srv := imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return mem.NewSession(), nil, nil
		},
		Caps: imap.CapSet{imap.CapIMAP4rev1: {}}, InsecureAuth: true, Logger: log.New(io.Discard, "", 0),
	})
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Println(srv.Serve(inner)) }()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			near, err := ln.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", inner.Addr().String())
			if err != nil {
				log.Fatal(err)
			}
			go service.Carry(far, near, 500*time.Microsecond)
			go service.Carry(near, far, 500*time.Microsecond)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

type literal struct {
	io.Reader
	size int64
}

func (l literal) Size() int64 { return l.size }
