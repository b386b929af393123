// Reminders of a theatre: on the day of a show each of its guests is sent a mail with their seat, by Mailgun, a process elsewhere, which takes
// 2 ms to accept a message.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/mailgun/mailgun-go/v4"

	"wild/service"
)

// guest has a seat.
type guest struct{ mail, name, seat string }

// theatre sends mail.
type theatre struct{ mail *mailgun.MailgunImpl }

func open(address string) *theatre {
	mg := mailgun.NewMailgun("theatre.example", "key-theatre")
	mg.SetAPIBase("http://" + address + "/v3")
	mg.SetClient(&http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second})
	return &theatre{mg}
}

// guests of a show.
func guests(show string) []guest {
	var out []guest
	for i := range 10 {
		out = append(out, guest{fmt.Sprintf("guest%d@%s.example", i, show), fmt.Sprint("Guest ", i), fmt.Sprintf("row %d, seat %d", 1+i/4, 1+i%4)})
	}
	return out
}

// remind sends a show's guests their reminders.
func (t *theatre) remind(ctx context.Context, show string) (int, error) {
	all := guests(show)
	if service.After() {
		m := mailgun.NewMessage("theatre@theatre.example", "Tonight", "Dear %recipient.name%, we expect you tonight: %recipient.seat%.")
		for _, g := range all {
			if err := m.AddRecipientAndVariables(g.mail, map[string]any{"name": g.name, "seat": g.seat}); err != nil {
				return 0, err
			}
		}
		_, _, err := t.mail.Send(ctx, m)
		return len(all), err
	}
	for _, g := range all {
		m := mailgun.NewMessage("theatre@theatre.example", "Tonight", fmt.Sprintf("Dear %s, we expect you tonight: %s.", g.name, g.seat), g.mail)
		if _, _, err := t.mail.Send(ctx, m); err != nil {
			return 0, err
		}
	}
	return len(all), nil
}

func (t *theatre) serve(w http.ResponseWriter, r *http.Request) {
	n, err := t.remind(r.Context(), r.PathValue("show"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]int{"reminded": n})
}

func main() {
	if os.Getenv("ROLE") == "mailgun" {
		accept()
		return
	}
	t := open(service.Beside("mailgun"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /shows/{show}/reminders", t.serve)
	service.Run(mux)
}

// accept takes messages.
func accept() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v3/{domain}/messages", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("to") == "" {
			http.Error(w, `{"message": "to whom?"}`, http.StatusBadRequest)
			return
		}
		time.Sleep(2 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id": "<20260701.1@theatre.example>", "message": "Queued. Thank you."}`)
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
