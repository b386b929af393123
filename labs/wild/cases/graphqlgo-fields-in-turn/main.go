// A page about a house for sale: a client asks by GraphQL for what it shows, and what it may show is known by four services of the
// agency: the school, the tax, the noise and the price of houses nearby. They are one process here, and take 6 ms each.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/graphql-go/graphql"

	"wild/service"
)

// home is a house that is for sale.
type home struct {
	ID     string `json:"id"`
	Street string `json:"street"`
	Rooms  int    `json:"rooms"`
}

// agency answers about houses.
type agency struct {
	offices string
	client  *http.Client
	schema  graphql.Schema
}

// office asks an office of the agency about a house.
func (a *agency) office(ctx context.Context, name, id string) (any, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.offices+"/"+name+"?home="+id, http.NoBody)
	if err != nil {
		return nil, err
	}
	resp, err := a.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var out any
	return out, json.NewDecoder(resp.Body).Decode(&out)
}

// known is a field that an office knows.
func (a *agency) known(name string) *graphql.Field {
	type answer struct {
		value any
		err   error
	}
	return &graphql.Field{Type: graphql.Int, Resolve: func(p graphql.ResolveParams) (any, error) {
		h := p.Source.(home)
		if !service.After() {
			return a.office(p.Context, name, h.ID)
		}
		said := make(chan answer, 1)
		go func() {
			v, err := a.office(p.Context, name, h.ID)
			said <- answer{v, err}
		}()
		return func() (any, error) {
			got := <-said
			return got.value, got.err
		}, nil
	}}
}

func open(address string) (*agency, error) {
	a := &agency{offices: "http://" + address, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 128}}}
	plain := func(t graphql.Output, of func(home) any) *graphql.Field {
		return &graphql.Field{Type: t, Resolve: func(p graphql.ResolveParams) (any, error) { return of(p.Source.(home)), nil }}
	}
	object := graphql.NewObject(graphql.ObjectConfig{Name: "Home", Fields: graphql.Fields{
		"id":     plain(graphql.ID, func(h home) any { return h.ID }),
		"street": plain(graphql.String, func(h home) any { return h.Street }),
		"rooms":  plain(graphql.Int, func(h home) any { return h.Rooms }),
		"school": a.known("school"),
		"tax":    a.known("tax"),
		"noise":  a.known("noise"),
		"nearby": a.known("nearby"),
	}})
	query := graphql.NewObject(graphql.ObjectConfig{Name: "Query", Fields: graphql.Fields{
		"home": &graphql.Field{
			Type: object,
			Args: graphql.FieldConfigArgument{"id": &graphql.ArgumentConfig{Type: graphql.NewNonNull(graphql.ID)}},
			Resolve: func(p graphql.ResolveParams) (any, error) {
				id, _ := p.Args["id"].(string)
				n, err := strconv.Atoi(id)
				if err != nil {
					return nil, fmt.Errorf("there is no home %q", id)
				}
				return home{id, fmt.Sprintf("Mill street %d", n%90), 2 + n%6}, nil
			},
		},
	}})
	var err error
	a.schema, err = graphql.NewSchema(graphql.SchemaConfig{Query: query})
	return a, err
}

func (a *agency) serve(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables"`
	}
	if err := json.NewDecoder(io.LimitReader(r.Body, 32<<10)).Decode(&asked); err != nil || asked.Query == "" {
		http.Error(w, "there is no query", http.StatusBadRequest)
		return
	}
	out := graphql.Do(graphql.Params{Schema: a.schema, RequestString: asked.Query, VariableValues: asked.Variables, Context: r.Context()})
	w.Header().Set("Content-Type", "application/json")
	if out.HasErrors() {
		w.WriteHeader(http.StatusBadRequest)
	}
	json.NewEncoder(w).Encode(out)
}

func main() {
	if os.Getenv("ROLE") == "offices" {
		offices()
		return
	}
	a, err := open(service.Beside("offices"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /graphql", a.serve)
	service.Run(mux)
}

// offices know a number about each house.
func offices() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{office}", func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.FormValue("home"))
		time.Sleep(6 * time.Millisecond)
		fmt.Fprint(w, n*len(r.PathValue("office"))%900)
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
