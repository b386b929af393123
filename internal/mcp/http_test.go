//go:build unix

package mcp

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
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

// listener is a client's session, with what it was told of progress.
type listener struct {
	*sdk.ClientSession
	lines chan string
}

func dial(t *testing.T, url string) listener {
	t.Helper()
	lines := make(chan string, 100)
	client := sdk.NewClient(&sdk.Implementation{Name: "test"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			lines <- fmt.Sprint(r.Params.ProgressToken, " ", r.Params.Message)
		},
	})
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer("secret")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return listener{session, lines}
}

// call calls a tool with progress for its session's name.
func (s listener) call(ctx context.Context, tool, name string, arguments map[string]any) (text string, failed bool, err error) {
	params := &sdk.CallToolParams{Name: tool, Arguments: arguments}
	params.SetProgressToken(name)
	got, err := s.CallTool(ctx, params)
	if err != nil {
		return "", false, err
	}
	return got.Content[0].(*sdk.TextContent).Text, got.IsError, nil
}

// TestTwoSessions: two clients at once have sessions of their own. One measurement goes on at a time, whoever began it: the
// other is told its id, may wait for it as well, gets no progress but its own, and does not end it by going away.
func TestTwoSessions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := New(t.Context(), Config{Command: []string{"sh", "-c", "echo one >&2; while ! test -e go; do sleep 0.02; done; echo two >&2; exit 1", "sh"}, Dir: dir, Runs: "runs"})
	defer s.Stop()
	web := httptest.NewServer(s.Handler("secret"))
	defer web.Close()
	defer web.CloseClientConnections() // streams that wait for messages
	a, b := dial(t, web.URL), dial(t, web.URL)
	defer a.Close()
	if a.ID() == "" || a.ID() == b.ID() {
		t.Fatalf("the sessions are %q and %q", a.ID(), b.ID())
	}
	begun, failed, err := a.call(t.Context(), "find", "a", nil)
	id, _, _ := strings.Cut(begun, " ")
	if err != nil || failed || !strings.HasPrefix(id, "find-") {
		t.Fatalf("%q, %v", begun, err)
	}
	if text, failed, err := b.call(t.Context(), "find", "b", nil); err != nil || !failed || !strings.Contains(text, "call wait with id "+id) {
		t.Errorf("a second measurement: %q, %v", text, err)
	}
	answers := make(chan string, 2)
	leaving, leave := context.WithCancel(t.Context())
	defer leave()
	for name, one := range map[string]struct {
		listener
		ctx context.Context
	}{"a": {a, t.Context()}, "b": {b, leaving}} {
		go func() {
			text, _, err := one.call(one.ctx, "wait", name, map[string]any{"id": id})
			answers <- fmt.Sprint(name, " ", text, err)
		}()
	}
	for name, one := range map[string]listener{"a": a, "b": b} {
		if line := <-one.lines; !strings.HasPrefix(line, name+" ") {
			t.Errorf("%s was told %q", name, line)
		}
	}
	leave() // b goes away in the middle
	if answer := <-answers; !strings.HasPrefix(answer, "b ") {
		t.Errorf("the first to end is %q", answer)
	}
	_ = b.Close()
	if n, err := s.jobs.find(id); err != nil || n.over() {
		t.Errorf("the measurement of one ended with the other: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if answer := <-answers; !strings.HasPrefix(answer, "a "+id+" ended without an answer") || !strings.Contains(answer, "two") {
		t.Errorf("a is answered %q", answer)
	}
	for len(a.lines) > 0 {
		if line := <-a.lines; !strings.HasPrefix(line, "a ") {
			t.Errorf("a was told %q", line)
		}
	}
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
