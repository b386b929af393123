// A shop's GraphQL API. What is left of a product is asked of the stock service, a process
// of its own that is 8 ms away. Most queries are for one product, a few for a shelf of them.
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

	graphql "github.com/graph-gophers/graphql-go"
	"github.com/graph-gophers/graphql-go/relay"

	"wild/service"
)

const schema = `
type Query {
	product(id: Int!): Product!
	shelf(number: Int!): [Product!]!
}
type Product {
	id: Int!
	name: String!
	left: Int!
}`

const perShelf = 80

func main() {
	if os.Getenv("ROLE") == "stock" {
		stock()
		return
	}
	root := &query{
		url: "http://" + service.Beside("stock") + "/left",
		client: &http.Client{
			Transport: &http.Transport{MaxIdleConns: 2048, MaxIdleConnsPerHost: 2048},
			Timeout:   5 * time.Second,
		},
	}
	var opts []graphql.SchemaOpt
	if service.After() {
		opts = append(opts, graphql.MaxParallelism(perShelf))
	}
	http.Handle("/query", &relay.Handler{Schema: graphql.MustParseSchema(schema, root, opts...)})
	service.Run(http.DefaultServeMux)
}

type query struct {
	url    string
	client *http.Client
}

func (q *query) Product(args struct{ ID int32 }) *product { return &product{q, args.ID} }

func (q *query) Shelf(args struct{ Number int32 }) []*product {
	var all []*product
	for i := range int32(perShelf) {
		all = append(all, &product{q, args.Number*perShelf + i})
	}
	return all
}

type product struct {
	query *query
	id    int32
}

func (p *product) ID() int32    { return p.id }
func (p *product) Name() string { return "product " + strconv.Itoa(int(p.id)) }

func (p *product) Left(ctx context.Context) (int32, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.query.url+"?id="+strconv.Itoa(int(p.id)), nil)
	if err != nil {
		return 0, err
	}
	resp, err := p.query.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	var left int32
	err = json.NewDecoder(resp.Body).Decode(&left)
	io.Copy(io.Discard, resp.Body)
	return left, err
}

func stock() {
	http.HandleFunc("/left", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.FormValue("id"))
		if err != nil {
			http.Error(w, "no number", http.StatusBadRequest)
			return
		}
		time.Sleep(8 * time.Millisecond)
		fmt.Fprint(w, id*7%50)
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, nil)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
