package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/labs/broker/store"
)

// serve runs the API over a single node.
func serve(t *testing.T) *httptest.Server {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var counts store.Counts
	e, err := store.New(store.Coalesce, s, 2, &counts)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(Handler(NewService(e, 2), "http://self", counts.Read))
	t.Cleanup(func() {
		server.Close()
		if err := errors.Join(e.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	})
	return server
}

// send posts a body and decodes the answer.
func send(t *testing.T, url, body string, into any) int {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if into != nil {
		if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	return resp.StatusCode
}

func TestLifeOverHTTP(t *testing.T) {
	base := serve(t).URL
	var made, again Created
	first := send(t, base+"/v1/tasks", `{"key":"k","payload":"aGk="}`, &made)
	second := send(t, base+"/v1/tasks", `{"key":"k"}`, &again)
	if first != http.StatusCreated || second != http.StatusOK || made != again {
		t.Fatalf("%d %+v, then %d %+v", first, made, second, again)
	}
	var got Delivery
	if status := send(t, base+"/v1/claims", `{"worker":"w","lease_ms":60000}`, &got); status != http.StatusOK || got.ID != made.ID || string(got.Payload) != "hi" {
		t.Fatalf("%d %+v", status, got)
	}
	if status := send(t, base+"/v1/claims", `{"worker":"w"}`, nil); status != http.StatusNoContent {
		t.Errorf("a second claim: %d", status)
	}
	for range 2 {
		if status := send(t, base+"/v1/tasks/"+got.ID+"/complete", `{"attempt":1}`, nil); status != http.StatusNoContent {
			t.Errorf("complete: %d", status)
		}
	}
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		req, _ := http.NewRequest(method, base+"/v1/cycle?payload=x", nil)
		resp, err := http.DefaultClient.Do(req)
		if err != nil || resp.StatusCode != http.StatusNoContent {
			t.Fatalf("%s cycle: %v, %v", method, resp, err)
		}
		resp.Body.Close()
	}
	var stats StatsReply
	resp, err := http.Get(base + "/stats?seconds=1")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&stats); err != nil || stats.Cycles != 0 || stats.Seconds < 1 {
		t.Errorf("a quiet second: %+v, %v", stats, err)
	}
	resp, err = http.Get(base + "/stats")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&stats); err != nil || stats.Cycles != 3 || stats.Operations != 9 {
		t.Errorf("since the start: %+v, %v", stats, err)
	}
}

func TestRefusedOverHTTP(t *testing.T) {
	base := serve(t).URL
	for _, tt := range []struct {
		path, body string
		status     int
		says       string
	}{
		{"/v1/tasks", `{`, 400, "decode the body"},
		{"/v1/tasks", `{"payload":"` + strings.Repeat("A", maxBody) + `"}`, 400, "too large"},
		{"/v1/claims", `{"lease_ms":-1}`, 400, "a lease of"},
		{"/v1/tasks/7/complete", `{}`, 400, "not one that this broker gave"},
		{"/v1/tasks/0-77/complete", `{"attempt":1}`, 404, "no such task"},
		{"/v1/tasks/9-1/complete", `{"attempt":1}`, 404, "no such task"},
	} {
		var f Failure
		if got := send(t, base+tt.path, tt.body, &f); got != tt.status || !strings.Contains(f.Error, tt.says) {
			t.Errorf("%s: %d %q, want %d %q", tt.path, got, f.Error, tt.status, tt.says)
		}
	}
	var made Created
	send(t, base+"/v1/tasks", `{}`, &made)
	var f Failure
	if got := send(t, base+"/v1/tasks/"+made.ID+"/complete", `{"attempt":1}`, &f); got != http.StatusConflict {
		t.Errorf("complete without a lease: %d %+v", got, f)
	}
}

// A node that does not lead says which one does.
func TestElsewhere(t *testing.T) {
	for _, tt := range []struct {
		leader string
		status int
	}{{"http://other", http.StatusMisdirectedRequest}, {"", http.StatusServiceUnavailable}} {
		w := httptest.NewRecorder()
		fail(w, &store.Elsewhere{Leader: tt.leader})
		if w.Code != tt.status || w.Header().Get(HeaderLeader) != tt.leader {
			t.Errorf("%q: %d, %v", tt.leader, w.Code, w.Header())
		}
	}
}
