package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/index"
	"github.com/unpark-go/unpark/internal/index/notes"
)

func TestList(t *testing.T) {
	s := serve(t, shop(t))
	var all struct {
		All      int
		Rows     []index.Row
		Services []index.Service
		Notes    map[string]notes.Note
	}
	s.json(t, "/api/runs", &all)
	if len(all.Rows) != 28 || all.All != 28 || len(all.Services) != 1 || all.Services[0].Runs != 26 {
		t.Errorf("%d rows, %+v", len(all.Rows), all.Services)
	}
	s.json(t, "/api/runs?function=cache", &all)
	if len(all.Rows) != 26 || all.All != 28 {
		t.Errorf("%d of %d rows with a function", len(all.Rows), all.All)
	}
}

func TestNote(t *testing.T) {
	s := serve(t, shop(t))
	post := func(body, kind, origin string) int {
		r, _ := http.NewRequest(http.MethodPost, s.url+"/api/note", strings.NewReader(body))
		r.Header.Set("Content-Type", kind)
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		got, err := s.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		return got.StatusCode
	}
	note := `{"path":"run-03","note":{"tags":["release"],"text":"why"}}`
	for _, tt := range []struct {
		body, kind, origin string
		want               int
	}{
		{note, "application/json", s.url, 200},
		{note, "application/json", "", 403},
		{note, "application/json", "http://evil.example", 403},
		{note, "text/plain", s.url, 415},
		{`{`, "application/json", s.url, 400},
		{`{"path":"../x","note":{"text":"x"}}`, "application/json", s.url, 404},
		{`{"path":"run-03","note":{"text":"` + strings.Repeat("x", 20<<10) + `"}}`, "application/json", s.url, 409},
		{strings.Repeat(" ", largestAsk) + note, "application/json", s.url, 400},
	} {
		if got := post(tt.body, tt.kind, tt.origin); got != tt.want {
			t.Errorf("%.60s from %q: %d, want %d", tt.body, tt.origin, got, tt.want)
		}
	}
	all, err := (&notes.Notes{Root: s.root}).All()
	if err != nil || len(all) != 1 || all["run-03"].Text != "why" {
		t.Errorf("notes %v, %v", all, err)
	}
}
