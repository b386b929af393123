package mcp

import (
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestWrongArguments: what a client is told of a call whose arguments are not those of the tool names the tool, the argument and
// what would be right, and nothing has been started.
func TestWrongArguments(t *testing.T) {
	t.Parallel()
	s := New(t.Context(), Config{Command: []string{"/nothing"}, Dir: t.TempDir(), Runs: "runs"})
	defer s.Stop()
	here, there := sdk.NewInMemoryTransports()
	if _, err := s.sdk.Connect(t.Context(), here, nil); err != nil {
		t.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	for _, c := range []struct {
		tool      string
		arguments any
		want      string
	}{
		{"find", map[string]any{"secs": 5}, `call find: there is no argument "secs": name it as one of these, the nearest first, or leave it out: seconds, `},
		{"find", map[string]any{"url": "x", "pkg": "y"}, `"pkg": name it as one of these, the nearest first, or leave it out: package, `},
		{"find", map[string]any{"url": "x", "pkg": "y"}, "\nthere is no argument \"url\": name it as one of these, the nearest first, or leave it out: urls, "},
		{"find", map[string]any{"seconds": "15s"}, `call find: seconds is "15s", and has to be a whole number, such as "seconds": 1: length of the window`},
		{"find", map[string]any{"seconds": 1.5}, `call find: seconds is 1.5, and has to be a whole number`},
		{"find", map[string]any{"urls": "http://a"}, `call find: urls is "http://a", and has to be a list of strings, such as "urls": ["…"]: what is requested`},
		{"find", map[string]any{"package": 5}, `call find: package is 5, and has to be a string, such as "package": "…"`},
		{"find", map[string]any{"package": strings.Split(strings.Repeat("ab ", 400), " ")}, `…, and has to be a string`},
		{"find", map[string]any{strings.Repeat("ab\x1b", 100000): 1}, `…": name it`},
		{"find", map[string]any{"also": []string{"inventory=http://127.0.0.1:1", "inventory=./inventory -addr :1"}}, `also "inventory=./inventory -addr :1": name a service that runs, as inventory=http://`},
		{"find", []any{1}, `call find: its arguments are an object, such as {"package": "…"}`},
		{"prove", nil, `call prove: before is missing: name the tree before the change: a git revision`},
		{"prove", map[string]any{"before": nil}, `call prove: before is missing`},
		{"prove", map[string]any{"befor": "HEAD"}, `call prove: there is no argument "befor": name it as one of these, the nearest first, or leave it out: before, `},
		{"wait", map[string]any{"page": 2}, `call wait: id is missing: name the id that find or prove returned`},
		{"history", map[string]any{"run": "x"}, `there is no argument "run": name it as one of these, the nearest first, or leave it out: page`},
	} {
		got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: c.tool, Arguments: c.arguments})
		if err != nil {
			t.Errorf("%s: %v", c.tool, err)
			continue
		}
		text := got.Content[0].(*sdk.TextContent).Text
		if !got.IsError || !strings.Contains(text, c.want) {
			t.Errorf("%s %.60v: error %v, want %q:\n%.300s", c.tool, c.arguments, got.IsError, c.want, text)
		}
		if len(text) > 2000 || strings.ContainsRune(text, '\x1b') {
			t.Errorf("%s %.60v is quoted with %d bytes", c.tool, c.arguments, len(text))
		}
	}
	if got := s.jobs.ended("find"); len(got) > 0 {
		t.Errorf("%d measurements were started", len(got))
	}
	// What is null is left out.
	got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "history", Arguments: map[string]any{"page": nil}})
	if err != nil || got.IsError {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestArgumentsOfAllTools: every argument of a tool has a name, a word on what it is, and a kind that is checked.
func TestArgumentsOfAllTools(t *testing.T) {
	s := New(t.Context(), Config{Dir: t.TempDir(), Runs: "runs"})
	defer s.Stop()
	if len(s.arguments) != 6 {
		t.Errorf("%d tools are checked", len(s.arguments))
	}
	for tool, all := range s.arguments {
		for _, a := range all {
			if a.name == "" || a.what == "" || a.kind() == "a string" != (a.of.String() == "string") {
				t.Errorf("%s: %+v is %s", tool, a, a.kind())
			}
		}
	}
}
