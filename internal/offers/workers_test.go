package offers

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// workersOf is what is told of a goroutine of a pool that a server of the same module runs the user's handler on; the line LINE is where the goroutine is.
func workersOf(t *testing.T, class unpark.Class, pool, server, root string) string {
	t.Helper()
	r := of(t, pool)
	p := parsed(t, server)
	p.path, p.version = gate+"/web", "v1.2.0"
	p.index()
	r.packages["example.org/!acme/gate@v1.2.0/web"] = p
	all := stack("net.(*conn).Read main.handle /web.(*Server).serve " + root)
	before, _, _ := strings.Cut("package gate\n\n"+pool, "// LINE")
	all[2] = at("/web.(*Server).serve", "web/p.go")
	all[3].Line = strings.Count(before, "\n") + 1
	return names(r.For([]unpark.Finding{{Class: class, Path: all, Culprit: &all[0]}}), unpark.OfferWorkers)
}

// TestWorkers: how many goroutines a loop, or a condition, starts is followed to what users set; not what is a number, of something else, or started
// by another loop.
func TestWorkers(t *testing.T) {
	const (
		pool = `
type Pool struct { max int64; jobs, notes chan func() }

func New(size, queue int) *Pool {
	p := &Pool{max: int64(size - 1), jobs: make(chan func(), queue)}
	for i := 0; i < size; i++ {
		go func() {
			for job := range p.jobs {
				job() // LINE
			}
		}()
	}
	for i := 0; i < queue; i++ {
		go func() {
			for note := range p.notes {
				note()
			}
		}()
	}
	return p
}
`
		bound = `
type Pool struct { running, max int64; jobs, notes chan func() }

func New(size, queue int) *Pool {
	p := &Pool{max: int64(size - 1)}
	go func() {
		for job := range p.jobs {
			if !p.fork(job) {
				job() // LINE
			}
		}
	}()
	return p
}

func (p *Pool) fork(job func()) bool {
	if atomic.AddInt64(&p.running, 1) < p.max {
		go func() {
			for job := range p.jobs {
				job()
			}
		}()
		return true
	}
	return false
}
`
		methods = `
type Options struct { Lanes, Queue int }

type Pool struct { opts Options; jobs chan func() }

func New(opts Options) *Pool {
	p := &Pool{opts: opts}
	for range p.opts.Lanes {
		go p.work()
	}
	return p
}

func (p *Pool) work() {
	for job := range p.jobs {
		job() // LINE
	}
}
`
		server = `
type Config struct { Handlers, Backlog int }

type Server struct { p *gate.Pool }

func NewServer(c Config) *Server {
	n := c.Handlers - 1
	return &Server{gate.New(n, c.Backlog)}
}

func (s *Server) serve() {}
`
		fixed = "\ntype Config struct { Handlers int }\n\nfunc NewServer(c Config) *gate.Pool { return gate.New(runtime.NumCPU()*8, 64) }\n"
	)
	for _, c := range []struct {
		what         string
		class        unpark.Class
		pool, server string
		root, want   string
	}{
		{"a loop", unpark.ClassPool, pool, server, ".New.func1", "Config.Handlers"},
		{"a condition in what it calls", unpark.ClassPool, bound, server, ".New.func1", "Config.Handlers"},
		{"the same turned", unpark.ClassPool, strings.Replace(bound, "atomic.AddInt64(&p.running, 1) < p.max", "p.max >= p.running && !p.closed", 1), server, ".New.func1", "Config.Handlers"},
		{"a method, and options of its own", unpark.ClassPool, methods, "", ".(*Pool).work", "Options.Lanes"},
		{"users call it themselves", unpark.ClassPool, pool, "", ".New.func1", "New(size)"},
		{"the module has it, and another that users may call", unpark.ClassPool, pool + "\nfunc Open(n int) *Pool { return New(n, 1) }\n", server, ".New.func1", "Config.Handlers"},
		{"as many as there are processors", unpark.ClassPool, pool, fixed, ".New.func1", ""},
		{"a number", unpark.ClassPool, strings.Replace(pool, "i < size", "i < 4", 1), server, ".New.func1", ""},
		{"one", unpark.ClassPool, strings.NewReplacer("for range p.opts.Lanes {", "{").Replace(methods), "", ".(*Pool).work", ""},
		{"what asks whether there is any", unpark.ClassPool, strings.Replace(bound, "atomic.AddInt64(&p.running, 1) < p.max", "p.max > 0", 1), server, ".New.func1", ""},
		{"what it calls starts others", unpark.ClassPool, strings.Replace(bound, "\t\t\tfor job := range p.jobs {\n\t\t\t\tjob()\n\t\t\t}\n\t\t}()\n\t\treturn", "\t\t\tfor job := range p.notes {\n\t\t\t\tjob()\n\t\t\t}\n\t\t}()\n\t\treturn", 1), server, ".New.func1", ""},
		{"what computes", unpark.ClassCPU, pool, server, ".New.func1", ""},
	} {
		if got := workersOf(t, c.class, c.pool, c.server, c.root); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
