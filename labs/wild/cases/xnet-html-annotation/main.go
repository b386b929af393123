// A mail reader: it shows the text of a stored HTML message as a preview.
package main

import (
	"io"
	"net/http"
	"strings"

	"golang.org/x/net/html"

	"wild/service"
)

func main() {
	mail := message(2<<10, 300)
	mux := http.NewServeMux()
	mux.HandleFunc("/preview", func(w http.ResponseWriter, r *http.Request) {
		doc, err := html.Parse(strings.NewReader(mail))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var text strings.Builder
		preview(&text, doc)
		io.WriteString(w, text.String())
	})
	service.Run(mux)
}

func preview(out *strings.Builder, n *html.Node) {
	if n.Type == html.TextNode {
		out.WriteString(n.Data)
	}
	for c := n.FirstChild; c != nil && out.Len() < 200; c = c.NextSibling {
		preview(out, c)
	}
}

// message is a letter with a formula whose encoding is a long text, and which has many parts.
func message(encoding, parts int) string {
	return "<html><body><p>Dear all, here is the formula:</p><math><annotation-xml encoding=\"" +
		strings.Repeat("Größe ", encoding/8) + "\">" + strings.Repeat("<mi/>", parts) +
		"</annotation-xml></math><p>Regards</p></body></html>"
}
