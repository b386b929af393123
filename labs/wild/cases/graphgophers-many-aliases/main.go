// Prices over GraphQL. A basket asks for each of its lines under an alias of its own, which is
// how clients batch: one query holds some hundred fields of the same name.
package main

import (
	"hash/fnv"
	"net/http"

	graphql "github.com/graph-gophers/graphql-go"
	"github.com/graph-gophers/graphql-go/relay"

	"wild/service"
)

const schema = `
	schema { query: Query }
	type Query {
		price(sku: String!, count: Int!): Price!
	}
	type Price {
		cents: Int!
		currency: String!
		vat: Float!
	}
`

type root struct{}

type asked struct {
	SKU   string
	Count int32
}

func (*root) Price(a asked) *price {
	h := fnv.New32a()
	h.Write([]byte(a.SKU))
	return &price{each: int32(100 + h.Sum32()%9900), count: a.Count}
}

type price struct{ each, count int32 }

// Cents is less a twentieth from ten pieces on.
func (p *price) Cents() int32 {
	total := p.each * p.count
	if p.count >= 10 {
		total -= total / 20
	}
	return total
}

func (p *price) Currency() string { return "EUR" }
func (p *price) VAT() float64     { return 0.19 }

func main() {
	http.Handle("/graphql", &relay.Handler{Schema: graphql.MustParseSchema(schema, &root{})})
	service.Run(http.DefaultServeMux)
}
