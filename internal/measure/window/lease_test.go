package window

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestHeldLineIsBounded: what answers in the probe's place must not fill the memory.
func TestHeldLineIsBounded(t *testing.T) {
	long := `{"notes":["` + strings.Repeat("x", maxGrant-len(`{"notes":[""]}`+"\n")) + `"]}` + "\n"
	for name, c := range map[string]struct {
		body, says string
	}{
		"granted":         {`{"granted":true}` + "\nmore", ""},
		"just fits":       {long, ""},
		"one byte longer": {" " + long, "longer than 1 MB"},
		"cut off":         {`{"granted":true}`, "cut off"},
		"no JSON":         {"<html>\n", "invalid character"},
	} {
		var l lease
		err := firstLine(strings.NewReader(c.body), &l)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

// TestHoldEndless: the connection is given up, and not read to an end that never comes.
func TestHoldEndless(t *testing.T) {
	gone := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(gone)
		for chunk := bytes.Repeat([]byte("x"), 1<<16); ; {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}))
	defer server.Close()
	e, err := NewEndpoint(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	var first json.RawMessage
	if h, err := e.hold(context.Background(), "lease", &first); h != nil || err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("%v, %v", h, err)
	}
	<-gone
	if err := firstLine(io.MultiReader(), &first); err == nil {
		t.Error("nothing was taken for a line")
	}
}
