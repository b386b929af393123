// The GraphQL API of a shop on gqlgen's server. The clients are a few apps, so the queries
// are always the same ones, with other variables.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"wild/service"
)

const schema = `
type Query { customer(id: ID!): Customer! }
type Customer { id: ID! name: String! email: String! phone: String! language: String! address: Address! orders: [Order!]! }
type Address { street: String! zip: String! city: String! country: String! }
type Order { id: ID! state: String! placed: String! total: Money! lines: [Line!]! delivery: Address! }
type Line { sku: ID! title: String! count: Int! price: Money! }
type Money { amount: String! currency: String! }
`

func main() {
	srv := handler.New(&executable{gqlparser.MustLoadSchema(&ast.Source{Name: "shop.graphql", Input: schema})})
	srv.AddTransport(transport.POST{})
	if service.After() {
		srv.SetQueryCache(lru.New[*ast.QueryDocument](1000))
	}
	http.Handle("/query", srv)
	service.Run(http.DefaultServeMux)
}

// executable stands for what gqlgen generates of the schema.
type executable struct{ schema *ast.Schema }

func (e *executable) Schema() *ast.Schema { return e.schema }

func (e *executable) Complexity(context.Context, string, string, int, map[string]any) (int, bool) {
	return 0, false
}

func (e *executable) Exec(ctx context.Context) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	var out bytes.Buffer
	write(&out, op, op.Operation.SelectionSet, "Query", object{"customer": func(args map[string]any) any { return customer(fmt.Sprint(args["id"])) }})
	return graphql.OneShot(&graphql.Response{Data: out.Bytes()})
}

// object is a value of a type with fields. A field is a string, a number, an object, a list
// of these, or a function of the arguments.
type object map[string]any

func write(out *bytes.Buffer, op *graphql.OperationContext, set ast.SelectionSet, typ string, o object) {
	out.WriteByte('{')
	for i, f := range graphql.CollectFields(op, set, []string{typ}) {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(strconv.Quote(f.Alias))
		out.WriteByte(':')
		v := o[f.Name]
		if resolve, ok := v.(func(map[string]any) any); ok {
			v = resolve(f.ArgumentMap(op.Variables))
		}
		of := f.Definition.Type.Name()
		switch v := v.(type) {
		case object:
			write(out, op, f.Selections, of, v)
		case []object:
			out.WriteByte('[')
			for i, each := range v {
				if i > 0 {
					out.WriteByte(',')
				}
				write(out, op, f.Selections, of, each)
			}
			out.WriteByte(']')
		case int:
			out.WriteString(strconv.Itoa(v))
		default:
			b, _ := json.Marshal(v)
			out.Write(b)
		}
	}
	out.WriteByte('}')
}

func customer(id string) object {
	home := object{"street": "High Street 1", "zip": "12345", "city": "Springfield", "country": "US"}
	var orders []object
	for i := range 2 {
		orders = append(orders, object{
			"id": id + "-" + strconv.Itoa(i), "state": "sent", "placed": "2024-05-01", "delivery": home,
			"total": object{"amount": "37.80", "currency": "EUR"},
			"lines": []object{{"sku": "a-1", "title": "lamp", "count": 1, "price": object{"amount": "37.80", "currency": "EUR"}}},
		})
	}
	return object{"id": id, "name": "Ann", "email": "ann@shop.example", "phone": "555-0100", "language": "en", "address": home, "orders": orders}
}
