// Menus of canteens: what there is today, as a page, from a template that the start reads. There is nothing to be mended here.
package main

import (
	"fmt"
	"log"
	"net/http"
	"strconv"
	"time"

	"github.com/cbroglie/mustache"
	"github.com/dustin/go-humanize"

	"wild/service"
)

const page = `<!doctype html><html><head><title>{{name}}</title></head><body><h1>{{name}}, {{day}}</h1>
{{#courses}}<section><h2>{{title}}</h2><ul>{{#dishes}}<li>{{name}} <b>{{price}}</b>{{#vegan}} (vegan){{/vegan}}
{{#marks}}<i>{{.}}</i>{{/marks}}</li>{{/dishes}}{{^dishes}}<li>sold out</li>{{/dishes}}</ul></section>{{/courses}}
<p>{{served}} lunches served this year</p></body></html>`

// dish is one of a course.
type dish struct {
	Name  string
	Cents int
	Vegan bool
	Marks []string
}

// course has dishes.
type course struct {
	Title  string
	Dishes []dish
}

// canteen is one of the city's.
type canteen struct {
	name    string
	courses []course
	served  int64
}

// city has canteens and a page.
type city struct {
	canteens []canteen
	page     *mustache.Template
}

func open() (*city, error) {
	tmpl, err := mustache.ParseString(page)
	if err != nil {
		return nil, err
	}
	c := &city{page: tmpl}
	for i := range 12 {
		k := canteen{name: "Canteen " + strconv.Itoa(i+1), served: int64(120_000 + i*4321)}
		for _, title := range []string{"Soups", "Mains", "Salads", "Sweets"} {
			at := course{Title: title}
			for d := range 4 + i%3 {
				at.Dishes = append(at.Dishes, dish{fmt.Sprintf("%s of the day & bread, no. %d", title, d+1), 250 + d*115, d%2 == 0, []string{"gluten", "nuts"}[:d%3]})
			}
			k.courses = append(k.courses, at)
		}
		c.canteens = append(c.canteens, k)
	}
	return c, nil
}

// view is what the template reads of a canteen.
func (k *canteen) view(day time.Time) map[string]any {
	var courses []map[string]any
	for _, at := range k.courses {
		var dishes []map[string]any
		for _, d := range at.Dishes {
			dishes = append(dishes, map[string]any{"name": d.Name, "price": humanize.FormatFloat("#,###.##", float64(d.Cents)/100), "vegan": d.Vegan, "marks": d.Marks})
		}
		courses = append(courses, map[string]any{"title": at.Title, "dishes": dishes})
	}
	return map[string]any{"name": k.name, "day": day.Format("Monday, 2 January"), "courses": courses, "served": humanize.Comma(k.served)}
}

func (c *city) menu(w http.ResponseWriter, r *http.Request) {
	i, err := strconv.Atoi(r.PathValue("canteen"))
	if err != nil || i < 0 || i >= len(c.canteens) {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := c.page.FRender(w, c.canteens[i].view(time.Now())); err != nil {
		log.Println(err)
	}
}

func main() {
	c, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /canteens/{canteen}", c.menu)
	service.Run(mux)
}
