// The threads of a chat among programmers: messages with a line or two of code, which is
// taken apart when it is sent, and coloured with chroma in the style that its reader has chosen.
package main

import (
	"bytes"
	"html/template"
	"log"
	"net/http"
	"strconv"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"

	"wild/service"
)

type message struct {
	Author string
	Text   string
	Tokens []chroma.Token // of its code
}

type shown struct {
	Author string
	Text   string
	Code   template.HTML
}

var page = template.Must(template.New("thread").Parse(`<!DOCTYPE html>
<ul>
{{- range .}}
<li><b>{{.Author}}</b> {{.Text}}{{.Code}}</li>
{{- end}}
</ul>
`))

func main() {
	said := []struct{ lexer, text, code string }{
		{"go", "does this leak?", "defer resp.Body.Close()\n"},
		{"python", "or in one line", "print(sum(x * x for x in range(10)))\n"},
		{"bash", "try", "git rebase -i HEAD~3\n"},
		{"sql", "I'd count them first", "SELECT count(*) FROM orders WHERE state = 'open';\n"},
		{"json", "it answers with", `{"id": 17, "state": "open"}` + "\n"},
		{"go", "wrap it, then", "if err != nil {\n\treturn fmt.Errorf(\"load: %w\", err)\n}\n"},
	}
	var threads [][]message
	for i := range 20 {
		var thread []message
		for j := range 12 {
			s := said[(i+j)%len(said)]
			tokens, err := chroma.Tokenise(chroma.Coalesce(lexers.Get(s.lexer)), nil, s.code)
			if err != nil {
				log.Fatal(err)
			}
			thread = append(thread, message{"user-" + strconv.Itoa(j%4), s.text, tokens})
		}
		threads = append(threads, thread)
	}
	formatter := html.New(html.TabWidth(4))
	http.HandleFunc("/thread", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.URL.Query().Get("n"))
		if err != nil || n < 0 || n >= len(threads) {
			http.Error(w, "no such thread", http.StatusNotFound)
			return
		}
		style := styles.Get(r.URL.Query().Get("style"))
		var out []shown
		for _, m := range threads[n] {
			var b bytes.Buffer
			if err := formatter.Format(&b, style, chroma.Literator(m.Tokens...)); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			out = append(out, shown{m.Author, m.Text, template.HTML(b.String())})
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		page.Execute(w, out)
	})
	service.Run(http.DefaultServeMux)
}
