// Menus of a canteen: a page for a day and a diet, from templates that the kitchen may write anew, which are files: a frame, a list of
// dishes, and the small print of allergens.
package main

import (
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	"github.com/flosch/pongo2/v6"

	"wild/service"
)

// dish is something to eat.
type dish struct {
	Name      string
	Diet      string
	Cents     int
	Allergens []string
	Calories  int
}

var templates = map[string]string{
	"frame.html": `<!doctype html><html><head><title>{% block title %}Canteen{% endblock %}</title></head><body>
<nav>{% for d in days %}<a href="/days/{{ d }}/{{ diet }}"{% if d == day %} class="now"{% endif %}>Day {{ d }}</a> {% endfor %}</nav>
<main>{% block main %}{% endblock %}</main>
<footer>{% block foot %}Prices with tax. {{ year }}{% endblock %}</footer></body></html>`,
	"menu.html": `{% extends "frame.html" %}{% block title %}Day {{ day }}, {{ diet|title }}{% endblock %}
{% block main %}<h1>{{ diet|title }}</h1><ul>{% for dish in dishes %}{% include "dish.html" %}{% empty %}<li>Nothing today.</li>{% endfor %}</ul>
{% if dishes|length > 3 %}<p>{{ dishes|length }} dishes to choose from, from {{ least|floatformat:2 }} on.</p>{% endif %}{% endblock %}
{% block foot %}{{ block.Super }} {% include "small.html" %}{% endblock %}`,
	"dish.html": `<li><b>{{ dish.Name }}</b> {{ dish.Calories }} kcal{% if dish.Calories < 500 %} (light){% endif %}
<i>{% for a in dish.Allergens %}{{ a }}{% if not forloop.Last %}, {% endif %}{% endfor %}</i></li>`,
	"small.html": `{% for key, word in words %}<small>{{ key }}: {{ word|lower|capfirst }}</small> {% endfor %}`,
}

var words = map[string]string{"A": "Gluten", "B": "Crustaceans", "C": "Eggs", "D": "Fish", "E": "Peanuts", "F": "Soya", "G": "Milk"}

// canteen has dishes for two weeks, and templates in a folder.
type canteen struct {
	set    *pongo2.TemplateSet
	dishes map[int][]dish
	days   []int
}

var errDay = errors.New("no such day")

func open(folder string) (*canteen, error) {
	for name, text := range templates {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	loader, err := pongo2.NewLocalFileSystemLoader(folder)
	if err != nil {
		return nil, err
	}
	c := &canteen{set: pongo2.NewSet("canteen", loader), dishes: map[int][]dish{}}
	names := []string{"Barley soup", "Fried plaice", "Lentil stew", "Spinach dumplings", "Goulash", "Rice with beans", "Pancakes", "Tofu curry"}
	diets := []string{"vegan", "vegetarian", "all", "light"}
	for day := range 14 {
		c.days = append(c.days, day+1)
		for i := range 16 {
			c.dishes[day+1] = append(c.dishes[day+1], dish{
				names[(day*3+i*5)%len(names)], diets[i%4], 390 + (day*7+i*23)%400,
				[]string{string(rune('A' + (day+i)%7)), string(rune('A' + (day*2+i*3+1)%7))}, 320 + (day*31+i*57)%600,
			})
		}
	}
	return c, nil
}

// template is the one of a file.
func (c *canteen) template(name string) (*pongo2.Template, error) {
	if service.After() {
		return c.set.FromCache(name)
	}
	return c.set.FromFile(name)
}

// page is the menu of a day.
func (c *canteen) page(day int, diet string) ([]byte, error) {
	all, ok := c.dishes[day]
	if !ok {
		return nil, errDay
	}
	var of []dish
	least := 1 << 30
	for _, d := range all {
		if d.Diet == diet {
			of = append(of, d)
			least = min(least, d.Cents)
		}
	}
	t, err := c.template("menu.html")
	if err != nil {
		return nil, err
	}
	return t.ExecuteBytes(pongo2.Context{
		"day": day, "diet": diet, "days": c.days, "dishes": of, "least": float64(least) / 100, "words": words, "year": 2026,
	})
}

func (c *canteen) serve(w http.ResponseWriter, r *http.Request) {
	day, err := strconv.Atoi(r.PathValue("day"))
	if err != nil {
		http.Error(w, "a day is a number", http.StatusBadRequest)
		return
	}
	page, err := c.page(day, r.PathValue("diet"))
	switch {
	case errors.Is(err, errDay):
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(page)
}

func main() {
	folder, err := os.MkdirTemp("", "canteen")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	c, err := open(folder)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /days/{day}/{diet}", c.serve)
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "well") })
	service.Run(mux)
}
