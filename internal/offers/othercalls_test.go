package offers

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestOtherCalls: what only another call comes to is no setting of this one; what a constructor, or the call itself further on, comes to is.
func TestOtherCalls(t *testing.T) {
	client := func(more string) string {
		return "type opts struct{ pageSize int }\n\ntype Option func(*opts)\n\n// WithPageSize sets it.\nfunc WithPageSize(pageSize int) Option { return func(o *opts) { o.pageSize = pageSize } }\n\n" +
			"type Client struct{ o opts }\n\nfunc NewClient(all ...Option) *Client { return make(opts{pageSize: 10}) }\n\nfunc make(o opts) *Client { return &Client{o} }\n\nfunc (c *Client) Head() { c.wait() }\n\nfunc (c *Client) wait() {}\n\n" + more
	}
	for _, c := range []principle{
		{what: "another call", text: client("func (c *Client) List() { c.page() }\n\nfunc (c *Client) page() { ask(c.o.pageSize) }")},
		{what: "the call only fills it", text: client("func (c *Client) List() { c.page() }\n\nfunc (c *Client) page() { ask(c.o.pageSize) }\n\nfunc (c *Client) Look() { c.o = opts{pageSize: 10}; c.o.pageSize = 20; c.wait() }"), functions: ".(*Client).wait .(*Client).Look main.main"},
		{what: "a constructor's goroutine", text: client("func OpenClient() *Client { c := &Client{}; go c.loop(); return c }\n\nfunc (c *Client) loop() { ask(c.o.pageSize) }"), want: "WithPageSize"},
		{what: "the call, far below", text: client("func (c *Client) Head2() { c.a() }\n\nfunc (c *Client) a() { c.b() }\n\nfunc (c *Client) b() { c.d() }\n\nfunc (c *Client) d() { c.e() }\n\nfunc (c *Client) e() { ask(c.o.pageSize) }"), functions: ".(*Client).wait .(*Client).Head2 main.main", want: "WithPageSize"},
		{what: "nothing known reads it", text: client(""), want: "WithPageSize"},
	} {
		c.kind, c.class = unpark.OfferSetting, unpark.ClassDownstream
		if c.functions == "" {
			c.functions = ".(*Client).wait .(*Client).Head main.main"
		}
		c.run(t)
	}
}
