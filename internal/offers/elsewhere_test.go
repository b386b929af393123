package offers

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestElsewhere: of settings that the way does not read, those that only methods of other types read are for something else, those of
// idle connections end no wait for an answer, and what one call is put together with is of that call alone.
func TestElsewhere(t *testing.T) {
	const client = "type Client struct { mu sync.Mutex; node *Node }\n\ntype Node struct{}\n\ntype Rescore struct{}\n\nfunc NewClient() *Client { return nil }\n\nfunc (c *Client) Do() {}\n\n"
	const search = "type Search struct { client *Client; prefetchWindow int }\n\nfunc NewSearch(c *Client) *Search { return nil }\n\nfunc (s *Search) SetPrefetchWindow(n int) *Search { s.prefetchWindow = n; return s }\n"
	for text, want := range map[string]string{
		"var PrefetchWindow = 3\n\nfunc (r *Rescore) Source() int { return PrefetchWindow }": "",
		"var PrefetchWindow = 3\n\nfunc (c *Client) fetch() int { return PrefetchWindow }":   "PrefetchWindow",
		"var PrefetchWindow = 3\n\nfunc (n *Node) fetch() int { return PrefetchWindow }":     "PrefetchWindow",
		"var PrefetchWindow = 3": "PrefetchWindow",
		"var IdleConns = 3":      "",
		search:                   "",
		strings.Replace(search, "client *Client; ", "", 1): "Search.SetPrefetchWindow",
	} {
		if got := told(t, unpark.OfferSetting, unpark.ClassDownstream, client+text, ".(*Client).Do main.main"); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if got := told(t, unpark.OfferSetting, unpark.ClassPool, client+"var IdleConns = 3", ".(*Client).Do main.main"); got != "IdleConns" {
		t.Errorf("of a pool: %q", got)
	}
}
