// A greeting service behind an edge that hands over, as text, the languages which the browser asked for.
package main

import (
	"fmt"
	"io"
	"net/http"

	"golang.org/x/text/language"

	"wild/service"
)

var greetings = map[language.Tag]string{
	language.English: "Hello",
	language.German:  "Hallo",
	language.French:  "Bonjour",
}

func main() {
	known := []language.Tag{language.English, language.German, language.French}
	matcher := language.NewMatcher(known)

	mux := http.NewServeMux()
	mux.HandleFunc("/greet", func(w http.ResponseWriter, r *http.Request) {
		wanted, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		// What cannot be parsed is as good as nothing: the first language is the default.
		tags, _, _ := language.ParseAcceptLanguage(string(wanted))
		_, i, _ := matcher.Match(tags...)
		fmt.Fprintln(w, greetings[known[i]])
	})
	service.Run(mux)
}
