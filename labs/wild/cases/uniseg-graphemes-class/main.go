// Previews of messages, as a phone shows them: names are cut to so many columns, and the text to so many of
// what a reader takes for a character, so that no flag and no family of emoji is cut in two.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"wild/service"
)

type message struct{ from, text string }

// preview is a message as a phone shows it.
type preview struct {
	From string `json:"from"`
	Text string `json:"text"`
	Left int    `json:"left"` // characters that are not shown
}

// rooms are messages by the room that they were sent to.
type rooms map[string][]message

func newRooms() rooms {
	parts := []string{
		"Schönes Wochenende euch allen 🎉🎉", "see you at 7 👨‍👩‍👧‍👦 in front of the station", "विकिपीडिया में आपका स्वागत है",
		"こんにちは、元気ですか？", "🇩🇪🇫🇷🇯🇵 we go to all three", "e\u0301te\u0301 a\u0300 la plage 🏖️", "ok", "the slides are in the usual place; mind the last one",
	}
	all := rooms{}
	for r := range 6 {
		var in []message
		for i := range 24 {
			var b strings.Builder
			for k := range 3 + (i+r)%4 {
				b.WriteString(parts[(i*3+k*5+r)%len(parts)] + " ")
			}
			in = append(in, message{[]string{"Zoë 🌊 van der Berg", "山田 太郎", "Ada 👩🏽‍💻"}[i%3], b.String()})
		}
		all[fmt.Sprint("room-", r)] = in
	}
	return all
}

// cut takes the first n characters of a text, and says how many are left.
func cut(text string, n int) (string, int) {
	var b strings.Builder
	seen := 0
	if service.After() {
		rest, state, cluster := text, -1, ""
		for rest != "" {
			cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
			if seen++; seen <= n {
				b.WriteString(cluster)
			}
		}
	} else {
		for g := uniseg.NewGraphemes(text); g.Next(); {
			if seen++; seen <= n {
				b.WriteString(g.Str())
			}
		}
	}
	return b.String(), max(0, seen-n)
}

// columns pads or cuts a name to a width.
func columns(name string, width int) string {
	w := uniseg.StringWidth(name)
	for w > width {
		name = name[:strings.LastIndexByte(strings.TrimRight(name, " "), ' ')+1]
		w = uniseg.StringWidth(name)
		if name == "" {
			break
		}
	}
	return name + strings.Repeat(" ", width-w)
}

func (all rooms) previews(room string, chars int) ([]preview, error) {
	in, ok := all[room]
	if !ok {
		return nil, fmt.Errorf("no room %q", room)
	}
	out := make([]preview, 0, len(in))
	for _, m := range in {
		text, left := cut(m.text, chars)
		if left > 0 {
			text += "…"
		}
		out = append(out, preview{columns(m.from, 16), text, left})
	}
	return out, nil
}

func main() {
	all := newRooms()
	http.HandleFunc("GET /previews", func(w http.ResponseWriter, r *http.Request) {
		chars, err := strconv.Atoi(r.URL.Query().Get("chars"))
		if err != nil || chars < 1 || chars > 500 {
			http.Error(w, "chars is 1 to 500", http.StatusBadRequest)
			return
		}
		out, err := all.previews(r.URL.Query().Get("room"), chars)
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(http.DefaultServeMux)
}
