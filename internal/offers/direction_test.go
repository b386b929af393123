package offers

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestDirection: capacity is offered to what waits for room, and not to what waits for something to come; nor is it offered by its name then.
func TestDirection(t *testing.T) {
	post := func(body string) string {
		return "type Options struct {\n\t// SyncQueueLen is how many letters wait.\n\tSyncQueueLen int\n}\n\ntype Post struct{ box, other chan int; opts Options }\n\n" +
			"func New(o Options) *Post {\n\tp := &Post{opts: o}\n\tp.box = make(chan int, o.SyncQueueLen)\n\t// filled\n\treturn p\n}\n\nfunc (p *Post) Wait(done chan int) {\n" + body + "\n}"
	}
	const takes, puts, either = "runtime.chanrecv1", "runtime.chansend1", "runtime.selectgo"
	for _, c := range []struct{ what, by, text, want string }{
		{"for room", puts, post("p.box <- 1"), "Options.SyncQueueLen"},
		{"for a letter", takes, post("<-p.box"), ""},
		{"for room in a select", either, post("select {\ncase p.box <- 1:\ncase <-done:\n}"), "Options.SyncQueueLen"},
		{"for a letter in a select", either, post("select {\ncase <-p.box:\ncase <-done:\n}"), ""},
		{"for a letter in a select, behind a send that does not wait", either, post("select {\ncase p.box <- 1:\ndefault:\n}\nselect {\ncase <-p.box:\ncase <-done:\n}"), ""},
		{"for a place of those that were put there", takes, strings.Replace(post("<-p.box"), "// filled", "for range o.SyncQueueLen { p.box <- 1 }", 1), "Options.SyncQueueLen"},
		{"it is not known", "", post("<-p.box"), "Options.SyncQueueLen"},
	} {
		if got := told(t, unpark.OfferSetting, unpark.ClassChannel, c.text, c.by+" .(*Post).Wait main.main"); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
	if got := told(t, unpark.OfferSetting, unpark.ClassPool, post("<-p.box"), takes+" .(*Post).Wait main.main"); got != "Options.SyncQueueLen" {
		t.Errorf("a place of a pool: %q", got)
	}
}
