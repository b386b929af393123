// Phone book of a company: the people of a department, as its directory lists them, in the order of their names. The
// directory, a process of its own, speaks as much of LDAP as this needs.
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
	"strings"

	ber "github.com/go-asn1-ber/asn1-ber"
	"github.com/go-ldap/ldap/v3"

	"wild/service"
)

// person is an entry of the book.
type person struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Mail  string `json:"mail"`
	Phone string `json:"phone"`
	Room  string `json:"room"`
	since string
}

// book looks people up.
type book struct {
	free chan *ldap.Conn
}

const sessions = 8

func open(address string) (*book, error) {
	b := &book{make(chan *ldap.Conn, sessions)}
	for range sessions {
		c, err := ldap.DialURL("ldap://" + address)
		if err != nil {
			return nil, err
		}
		if err := c.Bind("cn=phonebook,dc=works", "reader"); err != nil {
			return nil, err
		}
		b.free <- c
	}
	return b, nil
}

var wanted = []string{"cn", "title", "mail", "telephoneNumber", "roomNumber", "employeeNumber", "departmentNumber", "startDate"}

// people are those of a department.
func (b *book) people(department string) ([]person, error) {
	c := <-b.free
	defer func() { b.free <- c }()
	found, err := c.Search(ldap.NewSearchRequest("ou="+department+",dc=works", ldap.ScopeWholeSubtree, ldap.NeverDerefAliases,
		0, 10, false, "(objectClass=person)", wanted, nil))
	if err != nil {
		return nil, err
	}
	all := make([]person, 0, len(found.Entries))
	for _, e := range found.Entries {
		all = append(all, person{
			Name: e.GetAttributeValue("cn"), Title: e.GetAttributeValue("title"), Mail: e.GetAttributeValue("mail"),
			Phone: e.GetAttributeValue("telephoneNumber"), Room: e.GetAttributeValue("roomNumber"), since: e.GetAttributeValue("startDate"),
		})
	}
	slices.SortFunc(all, func(a, b person) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

func (b *book) list(w http.ResponseWriter, r *http.Request) {
	all, err := b.people(r.PathValue("department"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if q := strings.ToLower(r.FormValue("q")); q != "" {
		all = slices.DeleteFunc(all, func(p person) bool { return !strings.Contains(strings.ToLower(p.Name), q) })
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"department": r.PathValue("department"), "people": all})
}

// newest are the three that came last.
func (b *book) newest(w http.ResponseWriter, r *http.Request) {
	all, err := b.people(r.PathValue("department"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	slices.SortStableFunc(all, func(a, b person) int { return strings.Compare(b.since, a.since) })
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(all[:min(3, len(all))])
}

func main() {
	if os.Getenv("ROLE") == "directory" {
		serveDirectory()
		return
	}
	b, err := open(service.Beside("directory"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /departments/{department}/people", b.list)
	mux.HandleFunc("GET /departments/{department}/newest", b.newest)
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
			for _, entry := range entries(op.Children[0].Value.(string)) {
				out = append(out, message(id, entry)...)
			}
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

// entries are the people below a name: from 12 to 31.
func entries(base string) [][]byte {
	n := 0
	for _, c := range base {
		n = (n*31 + int(c)) % 1009
	}
	var out [][]byte
	for i := range 12 + n%20 {
		family := []string{"Abel", "Brandt", "Costa", "Duval", "Eklund", "Ferrari", "Garcia", "Horvat"}[(i*5+n)%8]
		given := []string{"Ada", "Bo", "Cleo", "Dan", "Eva", "Finn", "Gwen"}[(i*3+n)%7]
		var attributes []byte
		for _, a := range [][2]string{
			{"cn", fmt.Sprintf("%s, %s %d", family, given, i)}, {"title", "Engineer"}, {"mail", fmt.Sprintf("%s.%s.%d@works.example", given, family, i)},
			{"telephoneNumber", fmt.Sprintf("+49 30 5550 %04d", n*7+i)}, {"roomNumber", fmt.Sprintf("%d.%02d", n%6, i)},
			{"employeeNumber", fmt.Sprint(n*100 + i)}, {"departmentNumber", fmt.Sprint(n)}, {"startDate", fmt.Sprintf("20%02d-0%d-15", (i*7+n)%25, i%9+1)},
		} {
			attributes = append(attributes, tlv(0x30, append(tlv(4, []byte(a[0])), tlv(0x31, tlv(4, []byte(a[1])))...))...)
		}
		name := tlv(4, fmt.Appendf(nil, "uid=%d,%s", n*100+i, base))
		out = append(out, tlv(0x64, append(name, tlv(0x30, attributes)...)))
	}
	return out
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
