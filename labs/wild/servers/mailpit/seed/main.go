// Command seed sends 2000 mails, one in ten of them an invoice, and writes the mail that the load sends.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
)

func main() {
	url := os.Args[1] + "/api/v1/send"
	r := rand.New(rand.NewPCG(1, 2))
	if err := os.WriteFile(os.Args[2], mail(r, "Your order {{counter}} is on its way", 12, 64<<10), 0o600); err != nil {
		log.Fatal(err)
	}
	for i := range 2000 {
		subject := fmt.Sprint("News of week ", i)
		if i%10 == 0 {
			subject = fmt.Sprint("Invoice ", 10000+i)
		}
		resp, err := http.Post(url, "application/json", bytes.NewReader(mail(r, subject, 12, 0)))
		if err != nil {
			log.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			log.Fatal(resp.Status)
		}
	}
}

// mail is a mail of some paragraphs, as text and HTML, with an attachment of some bytes.
func mail(r *rand.Rand, subject string, paragraphs, attached int) []byte {
	words := strings.Fields("the order was packed today and will be with you before the end of week please keep this letter for your records thank you")
	var text, html strings.Builder
	html.WriteString("<html><head><style>p{margin:1em;font-family:serif}</style></head><body>")
	for range paragraphs {
		var p []string
		for range 60 {
			p = append(p, words[r.IntN(len(words))])
		}
		text.WriteString(strings.Join(p, " ") + "\n\n")
		html.WriteString(`<p class="body"><a href="https://example.com/orders">` + strings.Join(p[:8], " ") + "</a> " + strings.Join(p[8:], " ") + "</p>")
	}
	html.WriteString("</body></html>")
	message := map[string]any{
		"From":    map[string]string{"Name": "The Shop", "Email": "shop@example.com"},
		"To":      []map[string]string{{"Name": "Jane Doe", "Email": "jane@example.com"}},
		"Subject": subject, "Text": text.String(), "HTML": html.String(),
	}
	if attached > 0 {
		file := make([]byte, attached)
		for i := range file {
			file[i] = byte(r.Uint32())
		}
		message["Attachments"] = []map[string]string{{"Filename": "slip.pdf", "ContentType": "application/pdf", "Content": base64.StdEncoding.EncodeToString(file)}}
	}
	body, err := json.Marshal(message)
	if err != nil {
		log.Fatal(err)
	}
	return body
}
