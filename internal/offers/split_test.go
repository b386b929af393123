package offers

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestTwoHalves: a call whose first half costs, is there to be called by itself, and needs only a part of what the call is given.
func TestTwoHalves(t *testing.T) {
	const (
		data  = "type Data struct{}\n\ntype Group struct{}\n\n"
		find  = "func (d *Data) FindGroup(agent string) *Group { return nil }\n\n"
		test  = "func (g *Group) Test(path string) bool { return true }\n\n"
		agent = "func (d *Data) TestAgent(path, agent string) bool {\n\tg := d.FindGroup(agent)\n\treturn g.Test(path)\n}\n"
		at    = ".(*Data).FindGroup .(*Data).TestAgent main.next"
	)
	for what, c := range map[string]struct {
		text, stack, want string
		class             unpark.Class
	}{
		"two halves":               {data + find + test + agent, at, "Group.Test", unpark.ClassCPU},
		"one after the other":      {data + find + test + "func (d *Data) TestAgent(path, agent string) bool { return d.FindGroup(agent).Test(path) }\n", at, "Group.Test", unpark.ClassAlloc},
		"all goes into the first":  {data + strings.Replace(find, "agent string", "agent, path string", 1) + test + strings.Replace(agent, "FindGroup(agent)", "FindGroup(agent, path)", 1), at, "", unpark.ClassCPU},
		"the second costs as well": {data + find + "func (g *Group) Test(path string) bool { return d.FindGroup(path) != nil }\n\n" + agent, at, "", unpark.ClassCPU},
		"not for users":            {data + strings.ReplaceAll(find+test+agent, "FindGroup", "findGroup"), ".(*Data).findGroup .(*Data).TestAgent main.next", "", unpark.ClassCPU},
		"it costs elsewhere":       {data + find + test + agent, "strings.ToLower .(*Data).TestAgent main.next", "", unpark.ClassCPU},
		"a wait":                   {data + find + test + agent, at, "", unpark.ClassDownstream},
	} {
		if got := told(t, unpark.OfferReady, c.class, c.text, c.stack); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

// TestCacheless: a cache that a type may be given is offered where its documentation says that nothing is kept without one, and requests wait for
// what it asks.
func TestCacheless(t *testing.T) {
	const asks = "\nfunc (c *Client) Do() int { return c.send() }\n\nfunc (c *Client) send() int { return 0 }\n"
	const at = "net/http.(*persistConn).roundTrip .(*Client).send .(*Client).Do main.serve"
	for what, c := range map[string]struct {
		text, want string
		class      unpark.Class
	}{
		"none is none":        {"type Client struct {\n\t// Cache keeps tokens.\n\t// If nil, no cache is used.\n\tCache Cache\n}\n" + asks, "Client.Cache", unpark.ClassDownstream},
		"in other words":      {"type Client struct {\n\tTokenCache Cache // when empty, tokens are not cached\n}\n" + asks, "Client.TokenCache", unpark.ClassDownstream},
		"there is one":        {"type Client struct {\n\t// Cache keeps tokens. If nil, one in memory is used.\n\tCache Cache\n}\n" + asks, "", unpark.ClassDownstream},
		"it does not say":     {"type Client struct {\n\t// Cache keeps tokens.\n\tCache Cache\n}\n" + asks, "", unpark.ClassDownstream},
		"something else":      {"type Client struct {\n\t// Header is sent. If nil, no header is sent and nothing is cached.\n\tHeader Header\n}\n" + asks, "", unpark.ClassDownstream},
		"what it computes":    {"type Client struct {\n\t// Cache keeps tokens. If nil, no cache is used.\n\tCache Cache\n}\n" + asks, "", unpark.ClassCPU},
		"of another type":     {"type Other struct {\n\t// Cache keeps tokens. If nil, no cache is used.\n\tCache Cache\n}\n\ntype Client struct{}\n" + asks, "", unpark.ClassDownstream},
		"not there for users": {"type Client struct {\n\t// cache keeps tokens. If nil, no cache is used.\n\tcache Cache\n}\n" + asks, "", unpark.ClassDownstream},
	} {
		if got := told(t, unpark.OfferSwitch, c.class, c.text, at); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

// TestGuardedByLine: a switch around what Go's own packages do on the way to what costs, which stacks leave out, and one that decides since all
// else that it stands beside holds there.
func TestGuardedByLine(t *testing.T) {
	const body = `
type Transport struct {
	// PreventRetryWithBody avoids that bodies are buffered.
	PreventRetryWithBody bool
}

func NewTransport() *Transport { return nil }

func (t *Transport) RoundTrip(req *http.Request) {
	prevent := req.Body != http.NoBody && t.PreventRetryWithBody
	if req.Body != http.NoBody && !prevent {
		io.Copy(&buf, req.Body)
	}
	req.Close()
}
`
	const at = "bytes.(*Reader).WriteTo .(*Transport).RoundTrip main.serve"
	for what, c := range map[string]struct{ text, line, want string }{
		"by its line":           {body, "io.Copy", "Transport.PreventRetryWithBody"},
		"another line":          {body, "req.Close", ""},
		"a line without a call": {body, "prevent :=", ""},
		"one of two is enough":  {strings.Replace(body, "if req.Body != http.NoBody && !prevent", "if !prevent", 1), "io.Copy", ""},
		"it calls that itself":  {strings.Replace(body, "req.Close()", "req.WriteTo()", 1), "io.Copy", ""},
	} {
		r := of(t, c.text)
		for _, p := range r.packages { // where lines are known
			p.fset = token.NewFileSet()
			f, err := parser.ParseFile(p.fset, "p.go", "package gate\n\n"+c.text, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			p.add(f)
			p.index()
		}
		all := stack(at)
		before, _, _ := strings.Cut("package gate\n\n"+c.text, c.line)
		all[1].Line = strings.Count(before, "\n") + 1
		if got := names(r.For([]unpark.Finding{{Class: unpark.ClassCPU, Path: all, Culprit: &all[0]}}), unpark.OfferSwitch); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}
