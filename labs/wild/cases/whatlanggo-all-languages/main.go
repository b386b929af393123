// Reviews of a chain of hotels, over fasthttp: each goes to those that read its language, of the six that guests may write in.
package main

import (
	"fmt"
	"log"

	"github.com/abadojack/whatlanggo"
	"github.com/valyala/fasthttp"

	"wild/service"
)

var desks = map[whatlanggo.Lang]string{
	whatlanggo.Eng: "Dublin",
	whatlanggo.Fra: "Lyon",
	whatlanggo.Deu: "Graz",
	whatlanggo.Spa: "Vigo",
	whatlanggo.Ita: "Turin",
	whatlanggo.Nld: "Ghent",
}

// hotels sorts reviews.
type hotels struct{ options whatlanggo.Options }

func open() *hotels {
	h := &hotels{}
	if service.After() {
		h.options.Whitelist = map[whatlanggo.Lang]bool{}
		for lang := range desks {
			h.options.Whitelist[lang] = true
		}
	}
	return h
}

// desk is the one that reads a review.
func (h *hotels) desk(review string) (string, whatlanggo.Info) {
	info := whatlanggo.DetectWithOptions(review, h.options)
	if d, ok := desks[info.Lang]; ok {
		return d, info
	}
	return desks[whatlanggo.Eng], info
}

func (h *hotels) handle(ctx *fasthttp.RequestCtx) {
	if !ctx.IsPost() || string(ctx.Path()) != "/reviews" {
		ctx.Error("post a review", fasthttp.StatusNotFound)
		return
	}
	d, info := h.desk(string(ctx.PostBody()))
	ctx.SetContentType("application/json")
	fmt.Fprintf(ctx, `{"desk":%q,"language":%q,"confidence":%.2f}`, d, info.Lang.Iso6391(), info.Confidence)
}

func main() {
	srv := &fasthttp.Server{Name: "reviews", Handler: open().handle}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
