// Doors of a company: which of them a person may open says the directory, by the groups it lists. The directory, a process
// of its own that speaks as much of LDAP as this needs, takes 15 ms for it.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"time"

	ber "github.com/go-asn1-ber/asn1-ber"
	"github.com/go-ldap/ldap/v3"

	"wild/service"
)

// directory is asked by several sessions.
type directory struct {
	free chan *ldap.Conn
}

const sessions = 64

func open(address string) (*directory, error) {
	d := &directory{make(chan *ldap.Conn, sessions)}
	for range sessions {
		c, err := ldap.DialURL("ldap://" + address)
		if err != nil {
			return nil, err
		}
		if err := c.Bind("cn=doors,dc=works", "reader"); err != nil {
			return nil, err
		}
		d.free <- c
	}
	return d, nil
}

// groups are those of a person.
func (d *directory) groups(person string) ([]string, error) {
	c := <-d.free
	defer func() { d.free <- c }()
	found, err := c.Search(ldap.NewSearchRequest("uid="+ldap.EscapeDN(person)+",dc=works", ldap.ScopeBaseObject, ldap.NeverDerefAliases,
		1, 5, false, "(objectClass=person)", []string{"memberOf"}, nil))
	if err != nil {
		return nil, err
	}
	if len(found.Entries) == 0 {
		return nil, nil
	}
	all := found.Entries[0].GetAttributeValues("memberOf")
	slices.Sort(all)
	return all, nil
}

var doors = map[string]string{"laboratory": "science", "archive": "letters", "roof": "masonry", "yard": "all"}

func (d *directory) may(w http.ResponseWriter, r *http.Request) {
	needs, ok := doors[r.PathValue("door")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	groups, err := d.groups(r.FormValue("person"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"open": slices.Contains(groups, needs), "groups": groups})
}

func main() {
	if os.Getenv("ROLE") == "directory" {
		serveDirectory()
		return
	}
	d, err := open(service.Beside("directory"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /doors/{door}", d.may)
	service.Run(mux)
}

// serveDirectory answers whatever is bound and searched for.
func serveDirectory() {
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

// Operations of LDAP, by the number of their tag.
const bind, unbind, search = 0, 2, 3

func serve(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	success := []byte{0x0a, 1, 0, 4, 0, 4, 0}
	for {
		p, err := ber.ReadPacket(in)
		if err != nil || len(p.Children) < 2 {
			return
		}
		id := p.Children[0].Value.(int64)
		var out []byte
		switch op := p.Children[1]; op.Tag {
		case bind:
			out = message(id, tlv(0x61, success))
		case search:
			time.Sleep(15 * time.Millisecond)
			out = message(id, entry(op.Children[0].Value.(string)))
			out = append(out, message(id, tlv(0x65, success))...)
		case unbind:
			return
		default:
			log.Printf("directory: operation %d", op.Tag)
			return
		}
		if _, err := c.Write(out); err != nil {
			return
		}
	}
}

// entry is a person, with some groups.
func entry(name string) []byte {
	var groups []byte
	for i, g := range []string{"all", "science", "letters", "masonry", "choir"} {
		if i == 0 || (len(name)+i)%3 == 0 {
			groups = append(groups, tlv(4, []byte(g))...)
		}
	}
	attribute := tlv(0x30, append(tlv(4, []byte("memberOf")), tlv(0x31, groups)...))
	return tlv(0x64, append(tlv(4, []byte(name)), tlv(0x30, attribute)...))
}

func message(id int64, op []byte) []byte {
	number := []byte{byte(id >> 24), byte(id >> 16), byte(id >> 8), byte(id)}
	return tlv(0x30, append(tlv(2, number), op...))
}

// tlv is a tag, a length and what has it.
func tlv(tag byte, value []byte) []byte {
	head := []byte{tag, byte(len(value))}
	switch n := len(value); {
	case n > 255:
		head = []byte{tag, 0x82, byte(n >> 8), byte(n)}
	case n > 127:
		head = []byte{tag, 0x81, byte(n)}
	}
	return append(head, value...)
}
