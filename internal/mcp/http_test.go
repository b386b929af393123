//go:build unix

package mcp

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestHandler: a client with the token is served; one without it, a page of another site and another name of this machine
// are not.
func TestHandler(t *testing.T) {
	t.Parallel()
	s := New(t.Context(), Config{Command: []string{"/nothing"}, Dir: t.TempDir(), Runs: "runs"})
	defer s.Stop()
	web := httptest.NewServer(s.Handler("secret"))
	defer web.Close()
	for _, c := range []struct {
		name, token, host, origin string
		want                      int
	}{
		{"no token", "", "", "", http.StatusUnauthorized},
		{"another token", "Bearer secre", "", "", http.StatusUnauthorized},
		{"another site", "Bearer secret", "", "https://example.com", http.StatusForbidden},
		{"another port of this machine", "Bearer secret", "", "http://127.0.0.1:1", http.StatusForbidden},
		{"another name", "Bearer secret", "example.com:80", "", http.StatusForbidden},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, web.URL, strings.NewReader(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", c.token)
		r.Header.Set("Origin", c.origin)
		if c.host != "" {
			r.Host = c.host
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != c.want {
			t.Errorf("%s: status %d, want %d", c.name, response.StatusCode, c.want)
		}
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: web.URL, HTTPClient: &http.Client{Transport: bearer("secret")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "history"})
	if err != nil || len(got.Content) != 1 || !strings.Contains(got.Content[0].(*sdk.TextContent).Text, "no run yet") {
		t.Errorf("%+v, %v", got, err)
	}
	// Its command is not there.
	if got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "find"}); err != nil || !got.IsError {
		t.Errorf("%+v, %v", got, err)
	}
}

type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// TestInterrupt: what a client that is gone left ends, and a later one can begin anew; not after the end.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	j := newJobs(ctx, Config{Command: []string{"sh", "-c", "trap 'exit 0' INT; while :; do sleep 0.05; done", "sh"}, Dir: t.TempDir(), Runs: "runs"})
	for range 2 {
		n, err := j.start("find", "run", nil, load{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := j.start("find", "run", nil, load{}); err == nil || !strings.Contains(err.Error(), "call wait with id "+n.id) {
			t.Errorf("a second one: %v", err)
		}
		j.interrupt()
		<-n.done
		if again, err := j.find(n.id); err != nil || again != n {
			t.Errorf("it is not known any more: %v", err)
		}
	}
	j.stop()
	if _, err := j.start("find", "run", nil, load{}); err == nil {
		t.Error("one begins after the end")
	}
}
