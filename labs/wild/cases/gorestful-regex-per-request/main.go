// An API of orders and customers in go-restful, whose paths say with regular expressions
// what an identifier looks like.
package main

import (
	"net/http"

	restful "github.com/emicklei/go-restful/v3"

	"wild/service"
)

type answer struct {
	Route string            `json:"route"`
	Path  map[string]string `json:"path"`
}

func main() {
	ws := new(restful.WebService)
	ws.Path("/api/v1").Produces(restful.MIME_JSON)
	const (
		order    = "/orders/{order:[0-9]{1,12}}"
		customer = "/customers/{customer:[a-z]{2}[0-9]{6}}"
	)
	for _, path := range []string{
		order, order + "/lines", order + "/invoices", order + "/parcels", order + "/returns", order + "/notes",
		order + "/lines/{line:[0-9]{1,4}}", order + "/invoices/{invoice:[A-Z]{2}-[0-9]{6}}",
		customer, customer + "/orders", customer + "/addresses", customer + "/payments", customer + "/vouchers",
		customer + "/addresses/{address:[0-9]{1,3}}",
	} {
		ws.Route(ws.GET(path).To(func(r *restful.Request, w *restful.Response) {
			w.WriteAsJson(answer{Route: r.SelectedRoutePath(), Path: r.PathParameters()})
		}))
	}
	c := restful.NewContainer()
	c.Router(restful.CurlyRouter{})
	c.Add(ws)
	service.Run(http.Handler(c))
}
