// Menus of a canteen: the page of a day shows what there is, with what is in it, made of components in Go.
package main

import (
	"fmt"
	"log"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"wild/service"
)

// dish is something to eat.
type dish struct {
	Name   string
	Cents  int
	Vegan  bool
	Inside []string
}

// canteen has menus, by day.
type canteen struct{ days [60][]dish }

func open() *canteen {
	c := &canteen{}
	names := []string{"Lentil soup", "Potato pancakes", "Fish in mustard sauce", "Risotto", "Noodles with pesto", "Bean stew", "Plum dumplings", "Goulash"}
	inside := []string{"celery", "gluten", "milk", "nuts", "soy", "egg", "mustard"}
	for d := range c.days {
		for i := range 5 + d%3 {
			n := d*3 + i*5
			c.days[d] = append(c.days[d], dish{names[n%len(names)], 320 + n*10%400, n%3 == 0, []string{inside[n%len(inside)], inside[(n+3)%len(inside)]}})
		}
	}
	return c
}

// card is how a dish looks.
func card(d dish) g.Node {
	return h.Article(h.Class("dish"),
		h.H2(g.Text(d.Name), g.If(d.Vegan, h.Span(h.Class("vegan"), g.Text("vegan")))),
		h.P(g.Textf("%d.%02d €", d.Cents/100, d.Cents%100)),
		h.Ul(g.Map(d.Inside, func(s string) g.Node { return h.Li(h.A(h.Href("/inside/"+s), g.Text(s))) })),
	)
}

// page is that of a day.
func page(day int, all []dish) g.Node {
	return h.Doctype(h.HTML(h.Lang("en"),
		h.Head(h.TitleEl(g.Textf("Day %d", day)), h.Meta(h.Charset("utf-8"))),
		h.Body(
			h.Nav(h.A(h.Href(fmt.Sprintf("/days/%d", day-1)), g.Text("before")), h.A(h.Href(fmt.Sprintf("/days/%d", day+1)), g.Text("after"))),
			h.Main(g.Map(all, card)),
		),
	))
}

func (c *canteen) serve(w http.ResponseWriter, r *http.Request) {
	day, err := strconv.Atoi(chi.URLParam(r, "day"))
	if err != nil || day < 0 || day >= len(c.days) {
		http.Error(w, "the canteen is closed", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := page(day, c.days[day]).Render(w); err != nil {
		log.Println(err)
	}
}

func main() {
	c := open()
	router := chi.NewRouter()
	router.Get("/days/{day}", c.serve)
	srv := &http.Server{Handler: router, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Close()
}
