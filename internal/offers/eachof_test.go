package offers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestEachOf: a loop in which the call stands, or a call of the function in which it does, is told; not one over a channel, one that starts
// goroutines, a list that is asked for before the loop, nor what computes.
func TestEachOf(t *testing.T) {
	const client = "type Client struct{}\n\nfunc (c *Client) Get() int { return 0 }\n"
	for _, c := range []struct {
		what, own string
		class     unpark.Class
		want      string
	}{
		{"in a loop", "func handle(ids []int) {\n\tfor _, id := range ids {\n\t\tc.Get(id) // HERE\n\t}\n}", unpark.ClassDownstream, "ids main.go:4"},
		{"of a field", "var s shop\n\nfunc handle() {\n\tfor range s.order.items {\n\t\tc.Get() // HERE\n\t}\n}", unpark.ClassDownstream, "s.order.items main.go:6"},
		{"a number of times", "func handle() {\n\tfor range 3 {\n\t\tc.Get() // HERE\n\t}\n}", unpark.ClassIO, "3 main.go:4"},
		{"a loop that is not around it", "func handle(ids []int) {\n\tfor range ids {\n\t}\n\tc.Get() // HERE\n}", unpark.ClassDownstream, ""},
		{"over a channel that is given", "func handle(jobs <-chan int) {\n\tfor range jobs {\n\t\tc.Get() // HERE\n\t}\n}", unpark.ClassDownstream, ""},
		{"over a channel of a field", "type shop struct{ jobs chan int }\n\nvar s shop\n\nfunc handle() {\n\tfor range s.jobs {\n\t\tc.Get() // HERE\n\t}\n}", unpark.ClassDownstream, ""},
		{"over a channel that is made", "func handle() {\n\tjobs := make(chan int)\n\tfor range jobs {\n\t\tc.Get() // HERE\n\t}\n}", unpark.ClassDownstream, ""},
		{"over a channel that a call gives", "func next() <-chan int { return nil }\n\nfunc handle() {\n\tfor range next() {\n\t\tc.Get() // HERE\n\t}\n}", unpark.ClassDownstream, ""},
		{"until it is told to end", "func handle() {\n\tfor {\n\t\tc.Get() // HERE\n\t}\n}", unpark.ClassDownstream, ""},
		{"each on a goroutine of its own", "func handle(ids []int) {\n\tfor range ids {\n\t\tgo func() {\n\t\t\tc.Get() // HERE\n\t\t}()\n\t}\n}", unpark.ClassDownstream, ""},
		{"what it goes through", "func handle() {\n\tfor range c.Get() { // HERE\n\t\tuse()\n\t}\n}", unpark.ClassDownstream, ""},
		{"by a number", "func handle(ids []int) {\n\tfor i := 0; i < len(ids); i++ {\n\t\tc.Get() // HERE\n\t}\n}", unpark.ClassDownstream, " main.go:4"},
		{"an error ends it", "func handle(ids []int) error {\n\tfor range ids {\n\t\tif err := c.Get(); err != nil { // HERE\n\t\t\treturn err\n\t\t}\n\t}\n\treturn nil\n}", unpark.ClassDownstream, "ids main.go:4"},
		{"an answer ends it", "func handle(ids []int) error {\n\tfor range ids {\n\t\tif err := c.Get(); err == nil { // HERE\n\t\t\treturn nil\n\t\t}\n\t}\n\treturn nil\n}", unpark.ClassDownstream, ""},
		{"asked again", "func handle() {\n\tfor range 3 {\n\t\tif c.Get() == nil { // HERE\n\t\t\tbreak\n\t\t}\n\t}\n}", unpark.ClassDownstream, ""},
		{"it writes to one that takes slowly", "func handle(ids []int) {\n\tfor range ids {\n\t\tc.Get() // HERE\n\t}\n}", unpark.ClassDownstream, ""},
		{"what computes", "func handle(ids []int) {\n\tfor range ids {\n\t\tc.Get() // HERE\n\t}\n}", unpark.ClassCPU, ""},
	} {
		file := filepath.Join(t.TempDir(), "main.go")
		text := "package main\n\n" + c.own + "\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		functions := ".(*Client).Get main.handle main.main"
		if strings.HasPrefix(c.what, "it writes") {
			functions = "net.(*conn).Write .(*Client).Get main.handle main.main"
		}
		all := stack(functions)
		at := len(all) - 2
		before, _, _ := strings.Cut(text, "// HERE")
		all[at].File, all[at].Line = file, strings.Count(before, "\n")+1
		got := ""
		for _, o := range of(t, client).For([]unpark.Finding{{Class: c.class, Path: all, Culprit: &all[0]}}) {
			if o.Kind == unpark.OfferEach {
				got = o.Name + " " + o.Calls
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
