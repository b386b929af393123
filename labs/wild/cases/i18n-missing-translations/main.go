// Menus of a canteen, in the language of the guest: names of dishes and what is in them are looked up in a bundle of
// translations. English is whole; other languages have what the translators came to so far.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"wild/service"
)

type dish struct {
	id    string
	cents int
	has   []string
}

// line is a dish as it is shown.
type line struct {
	Name  string   `json:"name"`
	Price string   `json:"price"`
	Has   []string `json:"has"`
}

type menu struct {
	Title  string `json:"title"`
	Dishes []line `json:"dishes"`
}

// canteen has what is cooked on a day, and the words for it.
type canteen struct {
	bundle *i18n.Bundle
	days   map[string][]dish
}

func newCanteen() (*canteen, error) {
	c := &canteen{i18n.NewBundle(language.English), map[string][]dish{}}
	contents := strings.Fields("gluten lactose nuts celery mustard egg fish soya sesame sulphites")
	words := map[string]string{"menu": "Menu of {{.Day}}", "price": "{{.Euros}}.{{.Cents}} euros"}
	for _, w := range contents {
		words["has-"+w] = "contains " + w
	}
	for d, day := range []string{"monday", "tuesday", "wednesday"} {
		for i := range 9 {
			id := fmt.Sprintf("dish-%d", d*9+i)
			words[id] = "Dish of the house, number " + fmt.Sprint(d*9+i)
			c.days[day] = append(c.days[day], dish{id, 450 + (i*37+d)%300, []string{contents[(i+d)%10], contents[(i*3+1)%10]}})
		}
	}
	for n, tag := range []language.Tag{language.English, language.German, language.French, language.Polish, language.Turkish, language.Spanish, language.Italian, language.Dutch} {
		for id, text := range words {
			// What a translator has not come to: the contents, of all but two languages, and some of the dishes.
			if n > 2 && strings.HasPrefix(id, "has-") || n > 0 && len(id)%3 == n%3 && strings.HasPrefix(id, "dish-") {
				continue
			}
			if n > 0 {
				text = tag.String() + ": " + text
			}
			if err := c.bundle.AddMessages(tag, &i18n.Message{ID: id, Other: text}); err != nil {
				return nil, fmt.Errorf("%s of %s: %w", id, tag, err)
			}
		}
	}
	return c, nil
}

// words says texts to one guest.
type words struct{ *i18n.Localizer }

// say is the text of an ID, in English where there is no other.
func (w words) say(id string, data map[string]any) string {
	text, err := w.Localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: data})
	if text == "" && err != nil {
		return id
	}
	return text
}

func (c *canteen) menu(day, accept string) (*menu, error) {
	dishes, ok := c.days[day]
	if !ok {
		return nil, fmt.Errorf("nothing is cooked on %q", day)
	}
	w := words{i18n.NewLocalizer(c.bundle, accept)}
	out := &menu{Title: w.say("menu", map[string]any{"Day": day})}
	for _, d := range dishes {
		l := line{Name: w.say(d.id, nil), Price: w.say("price", map[string]any{"Euros": d.cents / 100, "Cents": d.cents % 100})}
		for _, has := range d.has {
			l.Has = append(l.Has, w.say("has-"+has, nil))
		}
		out.Dishes = append(out.Dishes, l)
	}
	return out, nil
}

func main() {
	c, err := newCanteen()
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /menus/{day}", func(w http.ResponseWriter, r *http.Request) {
		accept := r.URL.Query().Get("lang")
		if accept == "" {
			accept = r.Header.Get("Accept-Language")
		}
		out, err := c.menu(r.PathValue("day"), accept)
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(http.DefaultServeMux)
}
