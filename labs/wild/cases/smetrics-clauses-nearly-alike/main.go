// Clauses of leases: a landlord sends a clause, and is told by how many letters it differs from the one that the tenants' union recommends. Most
// are copied from it, with a name or a date put in.
package main

import (
	"fmt"
	"log"
	"strings"

	"github.com/valyala/fasthttp"
	"github.com/xrash/smetrics"

	"wild/service"
)

const longest = 2000

// union has clauses that it recommends, by name.
type union struct{ clauses map[string]string }

func open() *union {
	const text = "The %[1]s is to be kept in good order by the landlord. Where it is found wanting the tenant writes to the landlord, who answers within " +
		"ten days and sees to it within thirty. If the landlord does not, the tenant may have the %[1]s put right by a tradesman, and keep back what was " +
		"paid for it from the rent of the next months, of which the bills are to be shown. What the tenant has damaged by neglect is paid for by the " +
		"tenant, but for what comes of use from day to day, as scratches, marks and faded paint. This holds for the %[1]s as it was handed over."
	u := &union{map[string]string{}}
	for _, what := range []string{"heating", "kitchen", "bathroom", "garden", "cellar", "roof", "lift", "balcony"} {
		u.clauses[what] = fmt.Sprintf(text, what)
	}
	return u
}

// differs is by how many letters put in, left out, or (as both) changed.
func differs(a, b string) int {
	if service.After() {
		return smetrics.Ukkonen(a, b, 1, 1, 2)
	}
	return smetrics.WagnerFischer(a, b, 1, 1, 2)
}

func (u *union) serve(ctx *fasthttp.RequestCtx) {
	what, ok := strings.CutPrefix(string(ctx.Path()), "/clauses/")
	clause, known := u.clauses[what]
	if !ok || !known || !ctx.IsPost() {
		ctx.Error("no such clause", fasthttp.StatusNotFound)
		return
	}
	sent := strings.TrimSpace(string(ctx.PostBody()))
	if sent == "" || len(sent) > longest {
		ctx.Error("which clause?", fasthttp.StatusBadRequest)
		return
	}
	ctx.SetContentType("application/json")
	fmt.Fprintf(ctx, `{"clause":%q,"differs":%d}`, what, differs(clause, sent))
}

func main() {
	srv := &fasthttp.Server{Handler: open().serve}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Shutdown()
}
