package offers

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// principle is a package with a stack in it, and what is offered of a kind.
type principle struct {
	what            string
	kind            unpark.OfferKind
	class           unpark.Class
	text, functions string
	want            string
}

func (c principle) run(t *testing.T) {
	t.Helper()
	if got := told(t, c.kind, c.class, c.text, c.functions); got != c.want {
		t.Errorf("%s: %q, want %q", c.what, got, c.want)
	}
}

// TestTrials: a list that is tried one after the other, and loops that do something else.
func TestTrials(t *testing.T) {
	loop := func(body string) string {
		return "var layouts []string\n\nfunc ToTime(s string) (v int, err error) {\n\tfor _, layout := range layouts {\n" + body + "\n\t}\n\treturn 0, err\n}"
	}
	for _, c := range []principle{
		{what: "until one fits", text: loop("if v, err = time.Parse(layout, s); err == nil {\nreturn v, nil\n}"), want: "ToTime"},
		{what: "all of them", text: loop("if v, err = time.Parse(layout, s); err != nil {\nreturn v, err\n}")},
		{what: "not of the list", text: loop("if v, err = time.Parse(fixed, s); err == nil {\nreturn v, nil\n}")},
	} {
		c.kind, c.class, c.functions = unpark.OfferTrial, unpark.ClassCPU, "time.Parse .ToTime main.main"
		c.run(t)
	}
}

// TestMissed: what costs is on the way since a cache had nothing, or made room; not where it is always there.
func TestMissed(t *testing.T) {
	query := func(body string) string {
		return "type Conn struct{ cache map[string]int }\n\nfunc (c *Conn) Query(sql string) int {\n" + body + "\n}\n\nfunc (c *Conn) prepare(sql string) int { return 0 }\n\nfunc (c *Conn) Ask(n int) int { return c.prepare(\"\") }"
	}
	for _, c := range []principle{
		{what: "nothing was found", text: query("d, ok := c.cache[sql]\nif !ok {\nd = c.prepare(sql)\n}\nreturn d"), functions: ".(*Conn).prepare .(*Conn).Query main.main", want: "Conn.Query"},
		{what: "always", text: query("d := c.prepare(sql)\nc.cache[sql] = d\nreturn d"), functions: ".(*Conn).prepare .(*Conn).Query main.main"},
		{what: "by no text", text: query("return 0"), functions: ".(*Conn).prepare .(*Conn).Ask main.main"},
		{what: "to make room", text: query("c.evictCached()\nreturn 0") + "\n\nfunc (c *Conn) evictCached() {}", functions: ".(*Conn).evictCached .(*Conn).Query main.main", want: "Conn.Query"},
	} {
		c.kind, c.class = unpark.OfferSame, unpark.ClassDownstream
		c.run(t)
	}
}

// TestBatched: a type that does for many what a call does for one; not one that only has such a name, or that users cannot make.
func TestBatched(t *testing.T) {
	const verify = "func Verify(sig []byte) bool { return check(sig) }\n\nfunc check(sig []byte) bool { return true }\n\n// BatchVerifier verifies many.\ntype BatchVerifier struct{}\n\nfunc (v *BatchVerifier) Add(sig []byte) {}\n"
	for _, c := range []principle{
		{what: "it is made and verifies", text: verify + "func NewBatchVerifier() *BatchVerifier { return nil }\nfunc (v *BatchVerifier) Verify() bool { return true }", want: "NewBatchVerifier"},
		{what: "nothing ends it", text: verify + "func NewBatchVerifier() *BatchVerifier { return nil }"},
		{what: "nothing makes it", text: verify + "func (v *BatchVerifier) Verify() bool { return true }"},
	} {
		c.kind, c.class, c.functions = unpark.OfferTogether, unpark.ClassCPU, ".check .Verify main.main"
		c.run(t)
	}
}

// TestFilters: an option that says for what work is done, where the way reads it.
func TestFilters(t *testing.T) {
	const zip = "type config struct{ types []string }\n\ntype option func(*config)\n\nfunc Handler(opts ...option) { var c config; if len(c.types) > 0 { return }; write() }\n\nfunc write() {}\n\n"
	for _, c := range []principle{
		{what: "read on the way", text: zip + "func ContentTypes(types []string) option { return func(c *config) { c.types = append(c.types, types...) } }", want: "ContentTypes"},
		{what: "read elsewhere", text: zip + "func ContentTypes(types []string) option { return func(c *config) { c.others = types } }"},
		{what: "not of what", text: zip + "func Names(types []string) option { return func(c *config) { c.types = append(c.types, types...) } }"},
	} {
		c.kind, c.class, c.functions = unpark.OfferSetting, unpark.ClassCPU, ".write .Handler main.main"
		c.run(t)
	}
}

// TestRecommended: what documentation says to use in the place of a call, of the same package.
func TestRecommended(t *testing.T) {
	const both = "type Context struct{}\n\nfunc (c *Context) JSON(v any) { encode(v) }\n\nfunc encode(v any) {}\n\n"
	for _, c := range []principle{
		{what: "instead", text: both + "// IndentedJSON is for people. Use Context.JSON() instead.\nfunc (c *Context) IndentedJSON(v any) { encode(v) }", want: "Context.JSON"},
		{what: "a word for people", text: both + "// IndentedJSON answers.\nfunc (c *Context) IndentedJSON(v any) { encode(v) }", want: "Context.JSON"},
		{what: "deprecated", text: both + "// IndentedJSON answers.\n//\n// Deprecated: use [Context.JSON].\nfunc (c *Context) IndentedJSON(v any) { encode(v) }", want: "Context.JSON"},
		{what: "of another package", text: both + "// SecureJSON answers. Use json.Encoder instead.\nfunc (c *Context) SecureJSON(v any) { encode(v) }"},
	} {
		c.kind, c.class, c.functions = unpark.OfferInstead, unpark.ClassCPU, ".encode .(*Context).IndentedJSON main.main"
		if c.want == "" {
			c.functions = ".encode .(*Context).SecureJSON main.main"
		}
		c.run(t)
	}
}

// TestRegisters: a call that adds a function to a list; not one that adds data.
func TestRegisters(t *testing.T) {
	for _, c := range []principle{
		{what: "a function", text: "type Client struct{ before []Hook }\n\ntype Hook func()\n\nfunc (c *Client) OnRequest(h Hook) { c.before = append(c.before, h) }", want: "Client.OnRequest"},
		{what: "data", text: "type Client struct{ before []int }\n\nfunc (c *Client) OnRequest(n int) { c.before = append(c.before, n) }"},
		{what: "a local list", text: "type Client struct{}\n\ntype Hook func()\n\nfunc (c *Client) OnRequest(h Hook) { var all []Hook; all = append(all, h) }"},
	} {
		c.kind, c.class, c.functions = unpark.OfferRegister, unpark.ClassLock, "sync.(*Mutex).Lock .(*Client).OnRequest main.main"
		c.run(t)
	}
}

// TestAllocated: the setting by which what is made has its size.
func TestAllocated(t *testing.T) {
	const inbox = "type Options struct {\n\t// SubChanLen is the length.\n\tSubChanLen int\n\t// Depth is another.\n\tNoRandom int\n}\n\ntype Conn struct{ opts Options }\n\nfunc (c *Conn) Subscribe() chan int { _ = c.opts.NoRandom; return make(chan int, c.opts.SubChanLen) }"
	for class, want := range map[unpark.Class]string{unpark.ClassAlloc: "Options.SubChanLen", unpark.ClassCPU: ""} {
		principle{what: string(class), kind: unpark.OfferSetting, class: class, text: inbox, functions: ".(*Conn).Subscribe main.main", want: want}.run(t)
	}
}

// TestOtherSide: what a method tells the other side of how much may be under way; not a call that does the work itself.
func TestOtherSide(t *testing.T) {
	for _, c := range []principle{
		{what: "a broker", text: "type Channel struct{}\n\nfunc (c *Channel) Qos(prefetchCount int) error { return c.call(prefetchCount) }\n\nfunc (c *Channel) call(n int) error { return nil }\n\nfunc (c *Channel) wait() {}", want: "Channel.Qos(prefetchCount)"},
		{what: "a copy", text: "type Channel struct{}\n\nfunc (c *Channel) ReadFrom(concurrency int) error { return nil }\n\nfunc (c *Channel) wait() {}"},
	} {
		c.kind, c.class, c.functions = unpark.OfferSetting, unpark.ClassDownstream, ".(*Channel).wait main.main"
		c.run(t)
	}
}

// TestBehind: what stands on goroutines along the chain of waits is looked at as well.
func TestBehind(t *testing.T) {
	r := of(t, "type Channel struct{}\n\nfunc (c *Channel) Qos(prefetchCount int) error { return c.call(prefetchCount) }\n\nfunc (c *Channel) call(n int) error { return nil }\n\nfunc (c *Channel) wait() {}")
	f := unpark.Finding{Class: unpark.ClassDownstream, Path: stack("runtime.selectgo main.main"), Behind: stack(".(*Channel).wait")}
	if got := names(r.For([]unpark.Finding{f}), unpark.OfferSetting); got != "Channel.Qos(prefetchCount)" {
		t.Errorf("%q", got)
	}
}

// TestEveryCall: a condition decides where all calls depend on it, and not where the other arm makes the same.
func TestEveryCall(t *testing.T) {
	serve := func(body string) string {
		return "type Options struct {\n\t// Split says so.\n\tSplit bool\n}\n\ntype Server struct{ Options }\n\nfunc (s *Server) Serve() {\n" + body + "\n}\n\nfunc write() {}"
	}
	for _, c := range []principle{
		{what: "one call", text: serve("if s.Split {\nwrite()\n}"), want: "Options.Split"},
		{what: "both arms", text: serve("if s.Split {\nwrite()\n} else {\nwrite()\n}")},
		{what: "another call", text: serve("write()\nif s.Split {\nwrite()\n}")},
	} {
		c.kind, c.class, c.functions = unpark.OfferSwitch, unpark.ClassCPU, ".write .(*Server).Serve main.main"
		c.run(t)
	}
}

// TestRewrites: a text that is taken and given whole, from several lines of the service.
func TestRewrites(t *testing.T) {
	r := of(t, "func SetBytes(json []byte, path string) ([]byte, error) { return build(json), nil }\n\nfunc build(json []byte) []byte { return json }")
	all := stack(".build .SetBytes main.main")
	f := unpark.Finding{Class: unpark.ClassAlloc, Path: all, Culprit: &all[0]}
	if got := names(r.For([]unpark.Finding{f}), unpark.OfferRewrite); got != "" {
		t.Errorf("from one line: %q", got)
	}
	f.From = []unpark.Part{{Share: 0.6}, {Share: 0.4}}
	if got := names(r.For([]unpark.Finding{f}), unpark.OfferRewrite); got != "SetBytes" {
		t.Errorf("from two lines: %q", got)
	}
}

// TestCallbacks: a function of the user's that a module calls, where it can be told that it gives the same for the same.
func TestCallbacks(t *testing.T) {
	const step = "type conn struct{}\n\nfunc (c *conn) step() {}\n\n"
	for _, c := range []principle{
		{what: "it can be told", text: step + "func RegisterDeterministicScalarFunction(name string, f func(any) any) error { return nil }", functions: "main.fold .(*conn).step main.find", want: "RegisterDeterministicScalarFunction"},
		{what: "it cannot", text: step + "func RegisterScalarFunction(name string, f func(any) any) error { return nil }", functions: "main.fold .(*conn).step main.find"},
		{what: "nothing of the user's asks", text: step + "func RegisterDeterministicScalarFunction(name string, f func(any) any) error { return nil }", functions: "main.fold .(*conn).step"},
	} {
		c.kind, c.class = unpark.OfferCallback, unpark.ClassCPU
		c.run(t)
	}
}

// TestCarried: a field of a message, or of what the user's function is given, is no setting; the same of what a constructor takes is.
func TestCarried(t *testing.T) {
	const client = "type Client struct{ conns int }\n\nfunc (c *Client) wait() {}\n\n"
	for _, c := range []principle{
		{what: "taken by a constructor", text: client + "type Options struct {\n\t// PoolSize is how many.\n\tPoolSize int `json:\"pool_size\"`\n}\n\nfunc New(o Options) *Client { return &Client{o.PoolSize} }", want: "Options.PoolSize"},
		{what: "sent", text: client + "type JobOptions struct {\n\t// PoolSize is how many.\n\tPoolSize int `json:\"pool_size\"`\n}\n\nfunc (c *Client) Run(o JobOptions) { _ = o.PoolSize; c.wait() }"},
		{what: "told to the user", text: client + "type PingParams struct {\n\t// PoolSize is how many.\n\tPoolSize int\n}\n\ntype Config struct {\n\t// ShouldPing asks.\n\tShouldPing func(PingParams) bool\n}\n\nfunc (c *Client) Run() { _ = PingParams{PoolSize: 1}.PoolSize; c.wait() }"},
	} {
		c.kind, c.class, c.functions = unpark.OfferSetting, unpark.ClassPool, ".(*Client).wait .(*Client).Run main.main"
		c.run(t)
	}
}
