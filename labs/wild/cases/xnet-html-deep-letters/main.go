// Letters to members of a club, as plain text for readers that cannot show more: a letter was written in the club's editor, which
// keeps it as HTML, and is turned into text when it is asked for.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wild/service"
)

// plain is a letter as text.
type plain struct {
	Letter  int      `json:"letter"`
	Refused string   `json:"refused,omitempty"`
	Lines   []string `json:"lines,omitempty"`
	Links   []string `json:"links,omitempty"`
}

// club has its letters as the editor keeps them.
type club struct{ letters []string }

var errLetter = errors.New("no such letter")

// letter is what the editor writes; each time that it saves a letter it wraps another division around all of it.
func letter(n, saved int) string {
	subjects := []string{"the regatta", "the new jetty", "our summer party", "the fees", "lost keys"}
	var b strings.Builder
	b.WriteString("<!doctype html><html><body>")
	b.WriteString(strings.Repeat("<div>", saved))
	fmt.Fprintf(&b, "<h1>Letter %d: %s</h1>", n, subjects[n%len(subjects)])
	for i := range 12 + n%9 {
		fmt.Fprintf(&b, `<p>Dear members, this is about <b>%s</b>, and about <i>%s</i>; see <a href="https://club.example/%d/%d">our page</a>.</p>`,
			subjects[(n+i)%len(subjects)], subjects[(n*2+i)%len(subjects)], n, i)
	}
	b.WriteString("<ul><li>Bring a friend<li>Bring a cake</ul>")
	b.WriteString(strings.Repeat("</div>", saved))
	b.WriteString("</body></html>")
	return b.String()
}

func open() *club {
	c := &club{}
	for n := range 200 {
		saved := 2 + n%7
		if n == 77 {
			saved = 9000 // it was open in the editor, which saves by itself, all summer
		}
		c.letters = append(c.letters, letter(n, saved))
	}
	return c
}

// collect adds the text of a node and of those below it.
func (p *plain) collect(n *html.Node, line *strings.Builder) {
	switch {
	case n.Type == html.TextNode:
		line.WriteString(n.Data)
	case n.DataAtom == atom.A:
		for _, a := range n.Attr {
			if a.Key == "href" {
				p.Links = append(p.Links, a.Val)
			}
		}
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		p.collect(child, line)
	}
	switch n.DataAtom {
	case atom.P, atom.H1, atom.Li:
		if text := strings.TrimSpace(line.String()); text != "" {
			p.Lines = append(p.Lines, text)
		}
		line.Reset()
	}
}

// plain turns a letter into text.
func (c *club) plain(id string) (*plain, error) {
	n, err := strconv.Atoi(id)
	if err != nil || n < 0 || n >= len(c.letters) {
		return nil, errLetter
	}
	out := &plain{Letter: n}
	doc, err := html.Parse(strings.NewReader(c.letters[n]))
	if err != nil {
		out.Refused = err.Error()
		return out, nil
	}
	out.collect(doc, new(strings.Builder))
	return out, nil
}

func (c *club) serve(w http.ResponseWriter, r *http.Request) {
	out, err := c.plain(r.PathValue("letter"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	c := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /letters/{letter}/text", c.serve)
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "well") })
	service.Run(mux)
}
