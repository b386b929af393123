// Departures as text: boards and terminals ask for the next trains of a station as a table, in columns of a width
// that is counted in cells, for names are written in several scripts.
package main

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"

	"wild/service"
)

type train struct {
	at                int // minutes of the day
	number, to, via   string
	platform, remarks string
}

// stations are trains by the station that they leave.
type stations map[string][]train

func newStations() stations {
	towns := []string{"Zürich HB", "東京", "Praha hlavní nádraží", "서울역", "København H", "Łódź Fabryczna", "上海虹桥", "Ağrı", "București Nord", "Aix-en-Provence TGV"}
	says := []string{"", "", "about 5 minutes later", "車内販売なし", "quiet zone in coach 4", "今日は⑦番線", "🚲 limited", "voiture-bar fermée"}
	all := stations{}
	for s, name := range []string{"central", "harbour", "airport"} {
		for i := range 40 {
			k := i*7 + s*3
			all[name] = append(all[name], train{300 + i*23 + s, fmt.Sprintf("IC %d", 500+k), towns[k%len(towns)], towns[(k+3)%len(towns)] + " – " + towns[(k+7)%len(towns)], strconv.Itoa(1 + k%12), says[k%len(says)]})
		}
	}
	return all
}

// column is one of the table.
type column struct {
	title string
	most  int
	of    func(train) string
}

var columns = []column{
	{"time", 5, func(t train) string { return fmt.Sprintf("%02d:%02d", t.at/60, t.at%60) }},
	{"train", 8, func(t train) string { return t.number }},
	{"to", 16, func(t train) string { return t.to }},
	{"via", 26, func(t train) string { return t.via }},
	{"platf.", 6, func(t train) string { return t.platform }},
	{"remarks", 20, func(t train) string { return t.remarks }},
}

// board is a table, as wide as what is in it.
type board struct {
	widths []int
	rows   [][]string
}

func newBoard(trains []train) *board {
	b := &board{widths: make([]int, len(columns))}
	title := make([]string, len(columns))
	for i, c := range columns {
		title[i] = c.title
	}
	b.add(title)
	for _, t := range trains {
		row := make([]string, len(columns))
		for i, c := range columns {
			row[i] = runewidth.Truncate(c.of(t), c.most, "…")
		}
		b.add(row)
	}
	return b
}

func (b *board) add(row []string) {
	for i, cell := range row {
		b.widths[i] = max(b.widths[i], runewidth.StringWidth(cell))
	}
	b.rows = append(b.rows, row)
}

func (b *board) String() string {
	var out strings.Builder
	for _, row := range b.rows {
		for i, cell := range row {
			out.WriteString(runewidth.FillRight(cell, b.widths[i]))
			out.WriteString("  ")
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// next are the trains of a station from an hour on.
func (all stations) next(name string, hour, n int) ([]train, bool) {
	trains, ok := all[name]
	for len(trains) > 0 && trains[0].at < hour*60 {
		trains = trains[1:]
	}
	return trains[:min(n, len(trains))], ok
}

func main() {
	all := newStations()
	http.HandleFunc("GET /stations/{name}/departures.txt", func(w http.ResponseWriter, r *http.Request) {
		hour, err := strconv.Atoi(r.URL.Query().Get("from"))
		if err != nil || hour < 0 || hour > 23 {
			http.Error(w, "from is 0 to 23", http.StatusBadRequest)
			return
		}
		trains, ok := all.next(r.PathValue("name"), hour, 15)
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintf(w, "%s, from %02d:00\n\n%s", r.PathValue("name"), hour, newBoard(trains))
	})
	service.Run(http.DefaultServeMux)
}
