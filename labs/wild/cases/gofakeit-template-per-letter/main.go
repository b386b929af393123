// Letters to practise with, for those who learn to work at a call centre: each is of a customer who does not exist, about an order that was
// never made.
package main

import (
	"encoding/json"
	"net/http"

	"github.com/brianvoe/gofakeit/v7"

	"wild/service"
)

// Two ways of saying the same letter.
const (
	template = "Dear madam or sir, I ordered a {{Color}} {{ProductName}} on {{WeekDay}} and it was broken. " +
		"My number is {{Phone}}. {{FirstName}} {{LastName}}, {{City}}"
	words = "Dear madam or sir, I ordered a {color} {productname} on {weekday} and it was broken. " +
		"My number is {phone}. {firstname} {lastname}, {city}"
)

// school makes up letters.
type school struct{ faker *gofakeit.Faker }

func (s *school) letter() (string, error) {
	if service.After() {
		return s.faker.Generate(words)
	}
	return s.faker.Template(template, nil)
}

func (s *school) serve(w http.ResponseWriter, r *http.Request) {
	text, err := s.letter()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]string{"pupil": r.PathValue("pupil"), "letter": text})
}

func main() {
	s := &school{gofakeit.New(0)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /pupils/{pupil}/letter", s.serve)
	service.Run(mux)
}
