package web

import (
	"bufio"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// A page that is open hears of a run that is new, and its stream ends with the server (serve waits for that).
func TestEvents(t *testing.T) {
	root := t.TempDir()
	s := serve(t, root)
	r, err := s.client.Get(s.url + "/api/events")
	if err != nil || r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatal(r, err)
	}
	defer r.Body.Close()
	lines := bufio.NewScanner(r.Body)
	if !lines.Scan() || lines.Text() != ": open" {
		t.Fatalf("the stream begins with %q", lines.Text())
	}
	save(t, filepath.Join(root, "new"), sample(1, 1))
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "event: runs") {
			break
		}
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
	if _, text := s.get(t, "/api/runs"); !strings.Contains(text, `"path":"new"`) {
		t.Errorf("the list has no new run: %s", text)
	}
}
