package offers

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestRefused: what the way gives an error for, where it is set, cannot be set there; what it only checks the range of, or uses as well, can.
func TestRefused(t *testing.T) {
	publish := func(body string) string {
		return "type opts struct{ stallWait int }\n\ntype Option func(*opts)\n\n// WithStallWait sets it.\nfunc WithStallWait(d int) Option { return func(o *opts) { o.stallWait = d } }\n\n" +
			"type Client struct{}\n\nfunc (c *Client) Publish(all ...Option) error {\nvar o opts\n" + body + "\nreturn c.wait(o)\n}\n\nfunc (c *Client) wait(o opts) error { return nil }"
	}
	for _, c := range []principle{
		{what: "set is refused", text: publish("if o.stallWait > 0 {\nreturn ErrStall\n}")},
		{what: "less than nothing is refused", text: publish("if o.stallWait < 0 {\nreturn ErrStall\n}"), want: "WithStallWait"},
		{what: "used as well", text: publish("if o.stallWait > 0 {\nreturn ErrStall\n}\nsleep(o.stallWait)"), want: "WithStallWait"},
		{what: "no error", text: publish("if o.stallWait > 0 {\nreturn nil\n}"), want: "WithStallWait"},
	} {
		c.kind, c.class, c.functions = unpark.OfferSetting, unpark.ClassRateLimit, ".(*Client).wait .(*Client).Publish main.main"
		c.run(t)
	}
}

// TestAnotherWay: below a lock, a switch that the way does not read itself is no setting where it chooses one of two things to do; what it leaves out
// may be held for.
func TestAnotherWay(t *testing.T) {
	client := func(name, body string) string {
		return "type Options struct {\n\t// X says so.\n\t" + name + " bool\n}\n\ntype Client struct{ Options }\n\nfunc New(o Options) *Client { return &Client{o} }\n\nfunc (c *Client) List() error { return c.connect() }\n\n" +
			"func (c *Client) connect() error {\n" + body + "\n}\n\nfunc (c *Client) extended() error { return nil }\n\nfunc (c *Client) plain() error { return nil }"
	}
	const list, connect = ".(*Client).List main.main", ".(*Client).connect .(*Client).List main.main"
	for _, c := range []principle{
		{what: "one of two", text: client("DisableExtended", "if !c.DisableExtended {\nif err := c.extended(); err == nil {\nreturn nil\n}\n}\nreturn c.plain()"), functions: list},
		{what: "or else", text: client("DisableExtended", "if !c.DisableExtended {\nc.extended()\n} else {\nc.plain()\n}\nreturn nil"), functions: list},
		{what: "left out", text: client("DisableExtended", "if !c.DisableExtended {\nif err := c.extended(); err != nil {\nreturn err\n}\n}\nreturn c.plain()"), functions: list, want: "Options.DisableExtended"},
		{what: "on the way", text: client("DisableExtended", "if !c.DisableExtended {\nc.extended()\n} else {\nc.plain()\n}\nreturn nil"), functions: connect, want: "Options.DisableExtended"},
		{what: "what is shared", text: client("NoLock", "if !c.NoLock {\nc.extended()\n} else {\nc.plain()\n}\nreturn nil"), functions: list, want: "Options.NoLock"},
	} {
		c.kind, c.class = unpark.OfferSetting, unpark.ClassLock
		c.run(t)
	}
}
