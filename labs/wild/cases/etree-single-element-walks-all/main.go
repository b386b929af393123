// A museum's catalogue: the XML that curators keep is read at the start, and visitors' guides ask for what stands beside the objects
// of a tour: their titles, where they hang, and the rooms they are in. Tours go through the first rooms; the others are a depot.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"strings"

	"github.com/beevik/etree"

	"wild/service"
)

const rooms, perRoom = 40, 60

// catalogue is what curators wrote.
type catalogue struct{ doc *etree.Document }

// written is the file of the curators.
func written() string {
	var b strings.Builder
	b.WriteString("<museum><rooms>")
	for room := range rooms {
		fmt.Fprintf(&b, `<room id="r%d"><name>Room %d</name><floor>%d</floor>`, room, room, room/10)
		for n := range perRoom {
			id := room*perRoom + n
			fmt.Fprintf(&b, `<object id="o%d"><title>Piece %d</title><maker>Maker %d</maker><year>%d</year>`+
				`<text lang="en">Oil on wood, %d by %d cm.</text><text lang="de">Öl auf Holz.</text></object>`, id, id, id%90, 1500+id%400, 20+id%90, 30+id%70)
		}
		b.WriteString("</room>")
	}
	b.WriteString("</rooms></museum>")
	return b.String()
}

func open() (*catalogue, error) {
	c := &catalogue{etree.NewDocument()}
	return c, c.doc.ReadFromString(written())
}

// label is what stands beside an object.
type label struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Maker string `json:"maker"`
	Year  int    `json:"year"`
	Text  string `json:"text"`
	Room  string `json:"room"`
	Floor string `json:"floor"`
}

// find is the label of an object, in a language.
func (c *catalogue) find(id, lang string) (label, bool) {
	o := c.doc.FindElement("/museum/rooms/room/object[@id='" + id + "']")
	if o == nil {
		return label{}, false
	}
	l := label{ID: id, Title: o.SelectElement("title").Text(), Maker: o.SelectElement("maker").Text()}
	l.Year, _ = strconv.Atoi(o.SelectElement("year").Text())
	if t := o.FindElement("text[@lang='" + lang + "']"); t != nil {
		l.Text = t.Text()
	}
	room := o.Parent()
	l.Room, l.Floor = room.SelectElement("name").Text(), room.SelectElement("floor").Text()
	return l, true
}

func (c *catalogue) tour(w http.ResponseWriter, r *http.Request) {
	labels, floors := []label{}, map[string]int{}
	for id := range strings.SplitSeq(r.FormValue("objects"), ",") {
		if strings.ContainsAny(id, "'[]/") {
			http.Error(w, "no such object", http.StatusNotFound)
			return
		}
		l, ok := c.find(id, r.FormValue("lang"))
		if !ok {
			http.Error(w, "no such object", http.StatusNotFound)
			return
		}
		floors[l.Floor]++
		labels = append(labels, l)
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"labels": labels, "by_floor": floors})
}

// room lists what is in a room.
func (c *catalogue) room(w http.ResponseWriter, r *http.Request) {
	for _, room := range c.doc.FindElements("/museum/rooms/room") {
		if room.SelectAttrValue("id", "") != r.PathValue("id") {
			continue
		}
		for _, o := range room.SelectElements("object") {
			fmt.Fprintln(w, o.SelectAttrValue("id", ""), o.SelectElement("title").Text())
		}
		return
	}
	http.Error(w, "no such room", http.StatusNotFound)
}

func main() {
	c, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tour", c.tour)
	mux.HandleFunc("GET /rooms/{id}", c.room)
	service.Run(mux)
}
