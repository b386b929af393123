// Subjects of letters of guests: a hotel's page shows which things guests write about most, which are the nouns of their
// letters. A letter is read when it is shown, since guests may still change it.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/jdkato/prose/v2"

	"wild/service"
)

// letter is what a guest wrote.
type letter struct {
	Guest string
	Stars int
	Text  string
}

// subject is a noun, and how often it was written.
type subject struct {
	Word  string `json:"word"`
	Count int    `json:"count"`
}

// card is what is shown of a letter.
type card struct {
	Guest    string    `json:"guest"`
	Stars    int       `json:"stars"`
	Words    int       `json:"words"`
	Subjects []subject `json:"subjects"`
}

var errLetter = errors.New("no such letter")

// house has the letters of each hotel, and a model of English that was read once.
type house struct {
	letters [][]letter
	english *prose.Model
	options []prose.DocOpt
}

func open() (*house, error) {
	first, err := prose.NewDocument("A model is read once.")
	if err != nil {
		return nil, err
	}
	parts := []string{
		"We arrived late, at about 11 p.m., and Mr. Berger at the desk was still there for us.",
		"The room had a view of the lake, which we did not expect for that price.",
		"Breakfast is served until 10.30 a.m. and the bread is baked in the house.",
		"On the second night there was some noise from the street, but the staff found us another room at once.",
		"The coffee could be better.", "My wife slept well; I did not, as the bed is rather short for 6 ft. 3 in. of me.",
		"Dr. Hansen from Oslo, a neighbour at table, comes every year.", "The eggs were perfect!", "Would we come again? Certainly.",
	}
	h := &house{options: []prose.DocOpt{prose.UsingModel(first.Model)}}
	if service.After() {
		h.options = append(h.options, prose.WithSegmentation(false), prose.WithExtraction(false))
	}
	for i := range 40 {
		var all []letter
		for j := range 12 {
			var b strings.Builder
			for k := range 4 {
				b.WriteString(parts[(i*5+j*3+k*2)%len(parts)])
				b.WriteByte(' ')
			}
			all = append(all, letter{fmt.Sprintf("Guest %d", i*12+j), 1 + (i+j)%5, b.String()})
		}
		h.letters = append(h.letters, all)
	}
	return h, nil
}

// nouns counts those of a text, and its words.
func (h *house) nouns(text string) (map[string]int, int, error) {
	doc, err := prose.NewDocument(text, h.options...)
	if err != nil {
		return nil, 0, err
	}
	out, words := map[string]int{}, 0
	for _, t := range doc.Tokens() {
		switch t.Tag {
		case "NN", "NNS":
			out[strings.ToLower(t.Text)]++
			words++
		case ".", ",", ":", "(", ")":
		default:
			words++
		}
	}
	return out, words, nil
}

// card is that of a letter.
func (h *house) card(hotel, number string) (*card, error) {
	i, err := strconv.Atoi(hotel)
	if err != nil || i < 0 || i >= len(h.letters) {
		return nil, errLetter
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n >= len(h.letters[i]) {
		return nil, errLetter
	}
	l := h.letters[i][n]
	nouns, words, err := h.nouns(l.Text)
	if err != nil {
		return nil, err
	}
	out := &card{Guest: l.Guest, Stars: l.Stars, Words: words}
	for _, word := range slices.Sorted(maps.Keys(nouns)) {
		out.Subjects = append(out.Subjects, subject{word, nouns[word]})
	}
	slices.SortStableFunc(out.Subjects, func(a, b subject) int { return cmp.Compare(b.Count, a.Count) })
	return out, nil
}

func (h *house) serve(w http.ResponseWriter, r *http.Request) {
	out, err := h.card(r.PathValue("hotel"), r.PathValue("letter"))
	switch {
	case errors.Is(err, errLetter):
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	h, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hotels/{hotel}/letters/{letter}", h.serve)
	service.Run(mux)
}
