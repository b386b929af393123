package main

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestParts: what a stack is charged to, leaf first.
func TestParts(t *testing.T) {
	tests := []struct {
		name  string
		stack []string
		want  parts
	}{
		{"the service's own, behind the middleware", []string{"runtime.mallocgc", "fmt.Fprint", "main.serve.func2", "net/http.(*ServeMux).ServeHTTP", ours + ".(*marker).ServeHTTP", "net/http.(*conn).serve"}, parts{all: 1}},
		{"the middleware's clock", []string{"time.runtimeNow", "time.Now", ours + "/agent.(*Timer).Began", ours + ".(*marker).ServeHTTP", "main.serve.func3"}, parts{all: 1, timing: 1}},
		{"its clock, as the compiler leaves it", []string{"runtime.nanotime1", "time.Since", ours + "/agent.(*state).since", ours + "/agent.(*Timer).Ended", ours + ".(*marker).ServeHTTP", "main.serve.func3"}, parts{all: 1, timing: 1}},
		{"the mux behind the middleware", []string{"strings.Cut", "net/http.(*ServeMux).ServeHTTP", ours + ".(*marker).ServeHTTP", "main.serve.func3"}, parts{all: 1}},
		{"a page of the agent", []string{"runtime.tracebackPCs", "runtime/pprof.(*Profile).WriteTo", ours + "/agent.lookup", "net/http.(*conn).serve"}, parts{all: 1, agent: 1}},
		{"the agent reads goroutines", []string{"runtime.goroutineProfileWithLabels", "runtime/pprof.writeGoroutine", "runtime/pprof.(*Profile).WriteTo", ours + "/agent.lookup", "net/http.(*conn).serve"}, parts{all: 1, agent: 1, pages: pages{goroutines: 1}}},
		{"the agent reads waits", []string{"compress/flate.(*compressor).deflate", "runtime/pprof.printCountCycleProfile", "runtime/pprof.writeMutex", "runtime/pprof.(*Profile).WriteTo", ours + "/agent.lookup", ours + "/agent.(*Agent).pprof", "net/http.(*conn).serve"}, parts{all: 1, agent: 1, pages: pages{waits: 1}}},
		{"the agent tells its metrics", []string{"encoding/json.Marshal", ours + "/agent.serveJSON", ours + "/agent.(*Agent).metrics", "net/http.(*conn).serve"}, parts{all: 1, agent: 1, pages: pages{metrics: 1}}},
		{"a wait is recorded", []string{"runtime.fpTracebackPCs", "runtime.saveblockevent", "runtime.blockevent", "runtime.semacquire1", "sync.(*Mutex).Lock", "main.(*book).add"}, parts{all: 1, rates: 1}},
		{"the server", []string{"internal/runtime/syscall.Syscall6", "net.(*conn).Write", "net/http.(*conn).serve"}, parts{all: 1}},
		{"the kernel alone", []string{"entry_SYSCALL_64"}, parts{all: 1}},
		{"a module's own, called by the agent", []string{"github.com/acme/shop.Hook", ours + "/agent.lookup"}, parts{all: 1}},
	}
	for _, tt := range tests {
		var got parts
		var stack []unpark.Site
		for _, name := range tt.stack {
			stack = append(stack, unpark.Site{Function: name})
		}
		if got.add(stack, 1); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}
