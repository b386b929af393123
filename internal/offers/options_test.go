package offers

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// pool is a client whose commands go through a pipeline where one is made, and else wait for a connection.
const pool = `
type Pool struct {
	idle chan *Conn
	pipe *pipe
	opts poolOpts
}

type Conn struct{}

type pipe struct{}

type poolOpts struct{ span, ping int }

// PoolOpt is a setting of a pool.
type PoolOpt func(*poolOpts)

// PoolGathering says how long commands are gathered; 0 does not.
func PoolGathering(span int) PoolOpt { return func(o *poolOpts) { o.span = span } }

// Together says nothing.
func Together(span int) func(*poolOpts) { return func(o *poolOpts) { o.span = span } }

// NewPool makes one. Its size bounds what is under way.
func NewPool(address string, size int, opts ...PoolOpt) *Pool {
	p := &Pool{}
	total := size + 1
	p.idle = make(chan *Conn, total)
	if p.opts.span > 0 {
		p.pipe = newPipe(p)
	}
	return p
}

func newPipe(p *Pool) *pipe { return nil }

func (p *Pool) Do(command string) {
	if p.pipe != nil {
		return
	}
	p.get()
}

func (p *Pool) get() *Conn { return <-p.idle }
`

// TestOptions: a function that gives what a constructor takes any number of is a setting, whatever its name; so is the parameter of
// the constructor that a channel has its capacity from; and what has to be set for the wait not to be come to.
func TestOptions(t *testing.T) {
	for what, c := range map[string]struct{ text, want string }{
		"both":                       {pool, "NewPool(size) PoolGathering"},
		"a type that nothing takes":  {strings.Replace(pool, "opts ...PoolOpt", "opts ...string", 1), "NewPool(size)"},
		"a size of its own":          {strings.Replace(pool, "total := size + 1", "total := 4", 1), "PoolGathering"},
		"made without a condition":   {strings.Replace(pool, "if p.opts.span > 0 {", "{", 1), "NewPool(size)"},
		"it is not what is made":     {strings.Replace(pool, "p.pipe = newPipe(p)", "p.pipe = nil", 1), "NewPool(size)"},
		"a constructor for the few":  {strings.ReplaceAll(pool, "NewPool(", "newPool("), ""},
		"of what is not a number":    {strings.Replace(pool, "size int", "size string", 1), "PoolGathering"},
		"for what is no cost at all": {strings.ReplaceAll(pool, "PoolGathering", "PoolLogger"), "NewPool(size)"},
	} {
		if got := told(t, unpark.OfferSetting, unpark.ClassPool, c.text, ".(*Pool).get .(*Pool).Do main.main"); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
	o := unpark.Offer{Kind: unpark.OfferSetting, Package: gate, Version: "v1.2.0", Name: "NewPool(size)"}
	if d := o.Documented(); d != "https://pkg.go.dev/example.org/Acme/gate@v1.2.0#NewPool" {
		t.Errorf("it is documented at %s", d)
	}
}

// TestFields: what a function fills by reflection, of the type that it is given, and what it only reads.
func TestFields(t *testing.T) {
	const decoder = "func (r *Reader) decode(into any) { reflect.ValueOf(into) }\n\ntype Reader struct{}\n\n"
	for text, want := range map[string]string{
		decoder + "func (r *Reader) Lookup(ip string, result any) error { r.decode(result); return nil }":                                                                                                                                    "Reader.Lookup",
		decoder + "func (r *Reader) Lookup(ip string, result interface{}) error { r.decode(result); return nil }":                                                                                                                            "Reader.Lookup",
		"func (r *Reader) decode(into any) { r.Check(into) }\n\nfunc (r *Reader) Check(into any) { reflect.ValueOf(into) }\n\ntype Reader struct{}\n\nfunc (r *Reader) Lookup(ip string, result any) error { r.decode(result); return nil }": "",
		decoder + "func (r *Reader) Encode(result any) error { r.decode(result); return nil }":                                                                                                                                               "",
		decoder + "func (r *Reader) Lookup(ip string, result *string) error { r.decode(result); return nil }":                                                                                                                                "",
		decoder + "func (r *Reader) Lookup(ip string, options any) error { r.decode(options); return nil }":                                                                                                                                  "",
		decoder + "func (r *Reader) lookup(ip string, result any) error { r.decode(result); return nil }":                                                                                                                                    "",
		strings.ReplaceAll(decoder, "reflect.ValueOf", "println") + "func (r *Reader) Lookup(ip string, result any) { r.decode(result) }":                                                                                                    "",
	} {
		name := ".(*Reader).Lookup"
		for _, other := range []string{"Encode", "lookup"} {
			if strings.Contains(text, ") "+other+"(") {
				name = ".(*Reader)." + other
			}
		}
		for class, want := range map[unpark.Class]string{unpark.ClassCPU: want, unpark.ClassAlloc: want, unpark.ClassDownstream: ""} {
			if got := told(t, unpark.OfferFields, class, text, ".(*Reader).decode "+name+" main.main"); got != want {
				t.Errorf("%s of %s: %q, want %q", text, class, got, want)
			}
		}
	}
}

// TestSaidToBeBetter: what documentation calls better than the function that a service calls is offered in its place, where the
// package has it.
func TestSaidToBeBetter(t *testing.T) {
	const query = "type Query struct{}\n\n// WhereT is the typed version of Where. NOTE: Where has better performance than WhereT.\nfunc (q Query) WhereT(f any) Query { return q }\n\nfunc (q Query) where() {}\n\n"
	for text, want := range map[string]string{
		"func (q Query) Where(f func(any) bool) Query { return q }":                         "Query.Where",
		"// Deprecated: use Is.\nfunc (q Query) Where(f func(any) bool) Query { return q }": "",
		"func Where(f func(any) bool) Query { return Query{} }":                             "",
	} {
		if got := told(t, unpark.OfferInstead, unpark.ClassCPU, query+text, ".Query.where .Query.WhereT main.main"); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
