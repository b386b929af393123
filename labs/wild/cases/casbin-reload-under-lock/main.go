// Documents of a company: whether an employee may read or write one is decided by rules, which are loaded anew from
// where they are kept twice a second, as other instances change them. There documents are, too, in a process of its own.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/casbin/casbin/v2"
	"github.com/casbin/casbin/v2/model"
	"github.com/casbin/casbin/v2/persist"

	"wild/service"
)

const rules = `
[request_definition]
r = sub, obj, act

[policy_definition]
p = sub, obj, act

[policy_effect]
e = some(where (p.eft == allow))

[matchers]
m = r.sub == p.sub && r.obj == p.obj && r.act == p.act
`

// place is where rules are kept.
type place struct{ address string }

func (p place) LoadPolicy(m model.Model) error {
	resp, err := kept.Get("http://" + p.address + "/rules")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		persist.LoadPolicyLine(lines.Text(), m)
	}
	return lines.Err()
}

// kept has connections to it for as many requests as there may be.
var kept = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// document passes on a document.
func (p place) document(w http.ResponseWriter, r *http.Request) error {
	resp, err := kept.Get("http://" + p.address + "/documents/" + r.PathValue("document"))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	w.Header().Set("Content-Type", "text/plain")
	_, err = io.Copy(w, resp.Body)
	return err
}

var errFixed = errors.New("rules are changed elsewhere")

func (place) SavePolicy(model.Model) error                              { return errFixed }
func (place) AddPolicy(string, string, []string) error                  { return errFixed }
func (place) RemovePolicy(string, string, []string) error               { return errFixed }
func (place) RemoveFilteredPolicy(string, string, int, ...string) error { return errFixed }

func open(p place) (*casbin.SyncedEnforcer, error) {
	m, err := model.NewModelFromString(rules)
	if err != nil {
		return nil, err
	}
	e, err := casbin.NewSyncedEnforcer(m, p)
	if err != nil {
		return nil, err
	}
	e.StartAutoLoadPolicy(500 * time.Millisecond)
	return e, nil
}

func main() {
	if os.Getenv("ROLE") == "place" {
		servePlace()
		return
	}
	p := place{service.Beside("place")}
	e, err := open(p)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /documents/{document}", func(w http.ResponseWriter, r *http.Request) {
		ok, err := e.Enforce(r.FormValue("as"), r.PathValue("document"), "read")
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		if !ok {
			http.Error(w, "not for you", http.StatusForbidden)
			return
		}
		if err := p.document(w, r); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
		}
	})
	service.Run(mux)
}

// servePlace has some rules, which it takes 120 ms to collect, and documents, which it takes 8 ms to find.
func servePlace() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	var all strings.Builder
	for i := range 120 {
		fmt.Fprintf(&all, "p, e%d, d%d, read\n", i%40, i)
	}
	http.HandleFunc("GET /rules", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(120 * time.Millisecond)
		io.WriteString(w, all.String())
	})
	http.HandleFunc("GET /documents/{document}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(8 * time.Millisecond)
		fmt.Fprintf(w, "This is %s. %s", r.PathValue("document"), strings.Repeat("It is about this and that. ", 40))
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
