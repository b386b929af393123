package evidence

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestWorkOfModules: what the goroutine of a client computes, with no line of the application on it, has a name; what reads requests and writes
// answers has none, whichever module serves them.
func TestWorkOfModules(t *testing.T) {
	const sends = "github.com/IBM/sarama.(*RecordBatch).encode"
	cpu := profileOf(t, unpark.KindCPU,
		made{sends + "@5 github.com/IBM/sarama.withRecover@9", 4, 40},
		made{"google.golang.org/grpc/internal/transport.(*framer).write google.golang.org/grpc/internal/transport.(*loopyWriter).run", 3, 30},
		made{"net/http.(*conn).readRequest net/http.(*conn).serve", 3, 30},
	)
	ev, _, _ := Reduce(Input{Target: unpark.Target{Module: "example.com/shop"}, Window: window(10), Profiles: single(cpu)})
	if got := ev.CPU.Tree.Through(sends); !near(got, 4, 1e-6) {
		t.Errorf("the module's work: %v", got)
	}
	for _, f := range []string{"google.golang.org/grpc/internal/transport.(*loopyWriter).run", "net/http.(*conn).readRequest"} {
		if got := ev.CPU.Tree.Through(f); got != 0 {
			t.Errorf("%s: %v", f, got)
		}
	}
}

// TestWorkOfProfilers: what a profiler of the service's own computes is there without unpark as well; what the endpoints of pprof compute is not.
func TestWorkOfProfilers(t *testing.T) {
	const takes = "github.com/felixge/fgprof.(*profiler).GoroutineProfile"
	cpu := profileOf(t, unpark.KindCPU,
		made{"runtime.goroutineProfileWithLabels " + takes + "@5 github.com/felixge/fgprof.Start.func1@9", 4, 40},
		made{"runtime.goroutineProfileWithLabels runtime/pprof.writeGoroutine net/http/pprof.handler.ServeHTTP net/http.(*conn).serve", 3, 30},
		made{"main.answer net/http.(*conn).serve", 3, 30},
	)
	ev, _, _ := Reduce(Input{Target: unpark.Target{Module: "example.com/shop"}, Window: window(10), Profiles: single(cpu)})
	if got := ev.CPU.Tree.Through(takes); !near(got, 4, 1e-6) {
		t.Errorf("the service's own profiler: %v", got)
	}
	if got := ev.CPU.Tree.Through("runtime/pprof.writeGoroutine"); got != 0 {
		t.Errorf("an endpoint of pprof: %v", got)
	}
	if s, _ := ev.CPU.Sampled.Get(); !near(s, 7, 1e-6) {
		t.Errorf("the service computed for %v s, want 7", s)
	}
}

// TestGrowingIsKept: what makes a buffer larger is told apart within the function that writes to it.
func TestGrowingIsKept(t *testing.T) {
	cpu := profileOf(t, unpark.KindCPU,
		made{"runtime.memmove bytes.growSlice bytes.(*Buffer).grow bytes.(*Buffer).WriteString main.page net/http.(*conn).serve", 4, 40},
		made{"runtime.memmove bytes.(*Buffer).WriteString main.page net/http.(*conn).serve", 3, 30},
	)
	ev, _, _ := Reduce(Input{Target: unpark.Target{Module: "example.com/shop"}, Window: window(10), Profiles: single(cpu)})
	if got, by := ev.CPU.Tree.Grown("main.page"); !near(got, 4, 1e-6) || by != "bytes.growSlice" {
		t.Errorf("%v by %q", got, by)
	}
}

// TestJoiningIsKept: so is what makes one string of several, and no buffer that grows.
func TestJoiningIsKept(t *testing.T) {
	cpu := profileOf(t, unpark.KindCPU,
		made{"runtime.memmove runtime.concatstrings runtime.concatstring3 main.page net/http.(*conn).serve", 4, 40},
		made{"runtime.memmove bytes.growSlice bytes.(*Buffer).grow bytes.(*Buffer).WriteString main.page net/http.(*conn).serve", 3, 30},
	)
	ev, _, _ := Reduce(Input{Target: unpark.Target{Module: "example.com/shop"}, Window: window(10), Profiles: single(cpu)})
	joined, by := ev.CPU.Tree.Joined("main.page")
	grown, _ := ev.CPU.Tree.Grown("main.page")
	if !near(joined, 4, 1e-6) || by != "runtime.concatstrings" || !near(grown, 3, 1e-6) {
		t.Errorf("%v by %q, and %v grows", joined, by, grown)
	}
}

// TestRuntimeOfFunctions: what the runtime does for a function is told by the function of it that is called, and is no part of what that
// function's callees call it for.
func TestRuntimeOfFunctions(t *testing.T) {
	cpu := profileOf(t, unpark.KindCPU,
		made{"runtime.memclrNoHeapPointers main.page net/http.(*conn).serve", 3, 300},
		made{"internal/runtime/maps.ctrlGroupMatchH2 runtime.mapassign_faststr main.page net/http.(*conn).serve", 2, 200},
		made{"runtime.memmove bytes.(*Buffer).Write main.page net/http.(*conn).serve", 1, 100})
	ev, _, _ := Reduce(Input{Target: unpark.Target{Module: "example.com/shop"}, Window: window(10), Profiles: single(cpu)})
	got := ev.CPU.Tree.Runtime("main.page")
	if len(got) != 2 || got[0].Site.Function != "runtime.memclrNoHeapPointers" || !near(got[0].Value, 3, 1e-6) || got[1].Site.Function != "runtime.mapassign_faststr" || !near(got[1].Value, 2, 1e-6) {
		t.Errorf("%+v", got)
	}
}
