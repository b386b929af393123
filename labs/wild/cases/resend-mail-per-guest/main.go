// Concerts of a hall: when one is put off, all who have booked a box are told by mail. Mail goes by a service elsewhere, which takes 2 ms for
// what it is sent.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"

	"github.com/resend/resend-go/v2"

	"wild/service"
)

const seats = 4 // of a box

// hall tells its guests.
type hall struct{ mail *resend.Client }

func open(address string) *hall {
	mail := resend.NewCustomClient(&http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}, "re_123")
	mail.BaseURL = &url.URL{Scheme: "http", Host: address, Path: "/"}
	return &hall{mail}
}

// letters are those to the guests of a box.
func letters(concert string, box int) []*resend.SendEmailRequest {
	var out []*resend.SendEmailRequest
	for seat := range seats {
		out = append(out, &resend.SendEmailRequest{
			From: "hall@hall.example", To: []string{fmt.Sprintf("guest%d@mail.example", box*seats+seat)},
			Subject: "Another day for " + concert,
			Text:    fmt.Sprintf("Your seat %d in box %d is kept. The concert is put off by a week.", seat+1, box),
		})
	}
	return out
}

// tell sends letters, and says how many.
func (h *hall) tell(ctx context.Context, letters []*resend.SendEmailRequest) (int, error) {
	if service.After() {
		sent, err := h.mail.Batch.SendWithContext(ctx, letters)
		if err != nil {
			return 0, err
		}
		return len(sent.Data), nil
	}
	for n, letter := range letters {
		if _, err := h.mail.Emails.SendWithContext(ctx, letter); err != nil {
			return n, err
		}
	}
	return len(letters), nil
}

func (h *hall) serve(w http.ResponseWriter, r *http.Request) {
	box, err := strconv.Atoi(r.PathValue("box"))
	if err != nil {
		http.Error(w, "which box?", http.StatusBadRequest)
		return
	}
	n, err := h.tell(r.Context(), letters(r.PathValue("concert"), box))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"box": box, "told": n})
}

func main() {
	if os.Getenv("ROLE") == "mail" {
		serveMail()
		return
	}
	h := open(service.Beside("mail"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /concerts/{concert}/boxes/{box}", h.serve)
	service.Run(mux)
}

// serveMail takes letters, one or many.
func serveMail() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	type id struct {
		ID string `json:"id"`
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /emails", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(2 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(id{"m1"})
	})
	mux.HandleFunc("POST /emails/batch", func(w http.ResponseWriter, r *http.Request) {
		var letters []json.RawMessage
		json.NewDecoder(r.Body).Decode(&letters)
		time.Sleep(2 * time.Millisecond)
		ids := make([]id, len(letters))
		for i := range ids {
			ids[i].ID = fmt.Sprintf("m%d", i)
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"data": ids})
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
