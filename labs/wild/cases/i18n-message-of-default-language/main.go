// Notices of a parcel service in the language of whom they are for: titles and texts are translated, and what was
// added to the app lately is there in English alone.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"wild/service"
)

var languages = []string{"en", "de", "fr", "es", "it", "nl", "pl", "pt", "cs", "da", "sv", "fi"}

// kinds of notices. The last ones are new, and not translated yet.
var kinds = []string{"announced", "accepted", "sorted", "customs", "delivery", "delivered", "missed", "locker", "neighbour", "window"}

const translated = 7

// notice is what is shown of an event.
type notice struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	At    int64  `json:"at"`
}

// event is what happened to a parcel.
type event struct {
	kind  string
	at    int64
	place string
	count int
}

// desk writes notices.
type desk struct {
	bundle     *i18n.Bundle
	localizers map[string]*i18n.Localizer
	events     map[string][]event
}

func newDesk() (*desk, error) {
	d := &desk{bundle: i18n.NewBundle(language.English), localizers: map[string]*i18n.Localizer{}, events: map[string][]event{}}
	for _, lang := range languages {
		tag, err := language.Parse(lang)
		if err != nil {
			return nil, err
		}
		for k, kind := range kinds {
			if lang != "en" && k >= translated {
				continue
			}
			err := d.bundle.AddMessages(tag,
				&i18n.Message{ID: kind + ".title", Other: fmt.Sprintf("[%s] %s", lang, kind)},
				&i18n.Message{ID: kind + ".text", One: fmt.Sprintf("[%s] one parcel: %s, {{.Place}}", lang, kind), Other: fmt.Sprintf("[%s] {{.Count}} parcels: %s, {{.Place}}", lang, kind)})
			if err != nil {
				return nil, fmt.Errorf("%s in %s: %w", kind, lang, err)
			}
		}
		d.localizers[lang] = i18n.NewLocalizer(d.bundle, lang)
	}
	for i := range 50 {
		for k := range 9 {
			n := (i + k) % len(kinds)
			d.events[strconv.Itoa(i)] = append(d.events[strconv.Itoa(i)], event{kinds[n], int64(1790000000 + k*3600), fmt.Sprint("depot ", i*k%17), 1 + k%3})
		}
	}
	return d, nil
}

// say is a message with what belongs into it, in the best language that has it.
func say(l *i18n.Localizer, id string, e event) (string, error) {
	text, err := l.Localize(&i18n.LocalizeConfig{
		MessageID: id, PluralCount: e.count, TemplateData: map[string]any{"Place": e.place, "Count": e.count},
	})
	if text == "" {
		return "", err
	}
	return text, nil
}

func (d *desk) notices(customer, lang string) ([]notice, error) {
	l, ok := d.localizers[lang]
	if !ok {
		l = d.localizers["en"]
	}
	out := make([]notice, 0, len(d.events[customer]))
	for _, e := range d.events[customer] {
		title, err := say(l, e.kind+".title", e)
		if err != nil {
			return nil, err
		}
		text, err := say(l, e.kind+".text", e)
		if err != nil {
			return nil, err
		}
		out = append(out, notice{title, text, e.at})
	}
	return out, nil
}

func main() {
	d, err := newDesk()
	if err != nil {
		panic(err)
	}
	http.HandleFunc("GET /customers/{id}/notices", func(w http.ResponseWriter, r *http.Request) {
		out, err := d.notices(r.PathValue("id"), r.FormValue("lang"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"notices": out})
	})
	service.Run(http.DefaultServeMux)
}
