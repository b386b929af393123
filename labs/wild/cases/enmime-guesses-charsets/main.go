// Mail to a town's offices: a clerk opens a mail, and gets its text, which attachments it has, and which case it is about. Mails
// are kept as they came in, and read when they are opened.
package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/jhillyerd/enmime/v2"

	"wild/service"
)

// attachment is a file of a mail.
type attachment struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Size int    `json:"size"`
}

// opened is what the clerk sees.
type opened struct {
	From    string       `json:"from"`
	Subject string       `json:"subject"`
	Case    string       `json:"case"`
	Text    string       `json:"text"`
	Files   []attachment `json:"files"`
}

// inbox has mails, and what reads them.
type inbox struct {
	mails  []string
	parser *enmime.Parser
}

var (
	errMail = errors.New("no such mail")
	about   = regexp.MustCompile(`\b[A-Z]{2}-\d{4}/\d{2}\b`)
)

// write is a mail as a mail program sends it: its text as plain text and as HTML, and a scan.
func write(n int) string {
	streets := []string{"Mühlgasse", "Hauptstraße", "Am Bäckerhof", "Schloßplatz", "Lindenallee"}
	var text strings.Builder
	for i := range 12 + n%5 {
		fmt.Fprintf(&text, "Since the %dth of the month the lamp in front of no. %d, %s, does not burn, and the drain there is full of leaves (%d). ",
			1+(n+i)%28, 1+(n*3+i)%80, streets[(n+i)%len(streets)], i)
		if i%3 == 2 {
			text.WriteString("\r\n\r\n")
		}
	}
	plain := fmt.Sprintf("Dear town, this is about XA-%04d/%02d.\r\n\r\n%s\r\n", n%10000, 10+n%17, text.String())
	scan := base64.StdEncoding.EncodeToString([]byte(strings.Repeat(fmt.Sprintf("scan %d;", n), 120)))
	var lines strings.Builder
	for len(scan) > 76 {
		lines.WriteString(scan[:76] + "\r\n")
		scan = scan[76:]
	}
	lines.WriteString(scan + "\r\n")
	return fmt.Sprintf("From: Citizen %d <c%d@mail.example>\r\nTo: office@town.example\r\nSubject: Lamp and drain, letter %d\r\n"+
		"Date: Mon, 2 Nov 2026 08:%02d:00 +0100\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=outer\r\n\r\n"+
		"--outer\r\nContent-Type: multipart/alternative; boundary=inner\r\n\r\n"+
		"--inner\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n%s\r\n"+
		"--inner\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n<html><body><p>%s</p></body></html>\r\n"+
		"--inner--\r\n--outer\r\nContent-Type: application/pdf; name=scan.pdf\r\nContent-Disposition: attachment; filename=scan.pdf\r\n"+
		"Content-Transfer-Encoding: base64\r\n\r\n%s--outer--\r\n",
		n, n, n, n%60, plain, strings.ReplaceAll(plain, "\r\n\r\n", "</p><p>"), lines.String())
}

func open() *inbox {
	in := &inbox{parser: enmime.NewParser()}
	if service.After() {
		in.parser = enmime.NewParser(enmime.DisableCharacterDetection(true))
	}
	for n := range 300 {
		in.mails = append(in.mails, write(n))
	}
	return in
}

// open reads a mail.
func (in *inbox) open(id string) (*opened, error) {
	n, err := strconv.Atoi(id)
	if err != nil || n < 0 || n >= len(in.mails) {
		return nil, errMail
	}
	mail, err := in.parser.ReadEnvelope(strings.NewReader(in.mails[n]))
	if err != nil {
		return nil, fmt.Errorf("mail %d: %w", n, err)
	}
	out := &opened{From: mail.GetHeader("From"), Subject: mail.GetHeader("Subject"), Text: mail.Text, Case: about.FindString(mail.Text)}
	for _, a := range mail.Attachments {
		out.Files = append(out.Files, attachment{a.FileName, a.ContentType, len(a.Content)})
	}
	return out, nil
}

func (in *inbox) serve(w http.ResponseWriter, r *http.Request) {
	out, err := in.open(r.PathValue("mail"))
	switch {
	case errors.Is(err, errMail):
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	in := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /mails/{mail}", in.serve)
	service.Run(mux)
}
