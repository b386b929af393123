package evidence

import (
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

// handler is the way of a request to where the application works.
const handler = " main.list@5" + serve

// sitesOf are the frames of a stack that is written as in [made].
func sitesOf(stack string) []unpark.Site {
	var out []unpark.Site
	for _, at := range strings.Fields(stack) {
		function, _, _ := strings.Cut(at, "@")
		out = append(out, unpark.Site{Function: function})
	}
	return out
}

// paths are the ways through a tree to where it ends.
func paths(nodes []*facts.Node) []string {
	var out []string
	for _, n := range nodes {
		below := paths(n.Calls)
		if len(below) == 0 {
			below = []string{""}
		}
		for _, b := range below {
			out = append(out, strings.TrimSpace(n.Site.Function+" "+b))
		}
	}
	slices.Sort(out)
	return out
}

// TestComplete: what goroutines do that requests start is part of what started them,
// through others that they start in turn; what serves all requests is not, nor what is
// started in many places.
func TestComplete(t *testing.T) {
	type start struct {
		entry, creator string
		count          int64
	}
	for _, c := range []struct {
		name   string
		cpu    string
		starts []start
		want   string
	}{
		{"a goroutine for a request", "lib.parse lib.read.func1", []start{{"lib.read.func1", "lib.read" + handler, 100}}, "main.list lib.read lib.read.func1 lib.parse"},
		{"one that starts another", "lib.lex", []start{
			{"lib.parse", "lib.read" + handler, 100}, {"lib.lex", "lib.parse", 100},
		}, "main.list lib.read lib.parse lib.lex"},
		{"a generic one, which traces name in another way", "lib.parse lib.(*Pool[go.shape.*uint8]).Acquire.func2", []start{
			{"lib.(*Pool[...]).Acquire.func2", "lib.(*Pool[...]).Acquire" + handler, 100},
		}, "main.list lib.(*Pool[...]).Acquire lib.(*Pool[go.shape.*uint8]).Acquire.func2 lib.parse"},
		{"a generic one that starts another", "lib.lex", []start{
			{"lib.(*Pool[go.shape.int]).fill", "lib.read" + handler, 100}, {"lib.lex", "lib.(*Pool[...]).fill", 100},
		}, "main.list lib.read lib.(*Pool[...]).fill lib.lex"},
		{"a worker that the first request starts", "lib.work", []start{{"lib.work", "lib.open" + handler, 1}}, "lib.work"},
		{"what a ticker starts", "lib.sweep", []start{{"lib.sweep", "lib.tick", 100}}, "lib.sweep"},
		{"a way for each of two kinds of requests", "lib.work", []start{
			{"lib.work", "lib.go1 main.put@7" + serve, 50}, {"lib.work", "lib.go1" + handler, 50},
		}, "lib.work"},
		{"two ways that part late", "lib.work", []start{
			{"lib.work", "lib.a lib.open" + handler, 50}, {"lib.work", "lib.b lib.open" + handler, 50},
		}, "main.list lib.open lib.work"},
		{"what starts what it is given", "main.list.func1@8 golang.org/x/sync/errgroup.(*Group).Go.func1", []start{
			{"golang.org/x/sync/errgroup.(*Group).Go.func1", "golang.org/x/sync/errgroup.(*Group).Go" + handler, 100},
		}, "main.list golang.org/x/sync/errgroup.(*Group).Go main.list.func1"},
		{"its own like", "lib.walk", []start{{"lib.walk", "lib.walk", 400}, {"lib.walk", "lib.open" + handler, 100}}, "lib.walk"},
	} {
		p := newProfiles(Input{Window: window(10), Profiles: single(profileOf(t, unpark.KindCPU, made{c.cpu, 1, 100}))})
		trace := &exectrace.Trace{Stacks: [][]unpark.Site{nil}, Starts: map[int32]map[int32]int64{}}
		for _, s := range c.starts {
			n := int32(len(trace.Stacks))
			trace.Stacks = append(trace.Stacks, sitesOf(s.entry), sitesOf(s.creator))
			trace.Starts[n] = map[int32]int64{n + 1: s.count}
		}
		p.complete(&traces{window: p, all: []*exectrace.Trace{trace}, fair: []int{0}, count: 100})
		tr := tree(p, unpark.KindCPU)
		if got := paths(tr.Roots); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestSeldomStarted: what a few requests start is part of them where it ends soon; what goes on may serve the others, and of few goroutines,
// and of what no request starts, nothing is said.
func TestSeldomStarted(t *testing.T) {
	for name, c := range map[string]struct {
		creator      string
		count, ended int64
		want         string
	}{
		"a build that many wait for": {"lib.build" + handler, 40, 38, "main.list lib.build lib.link"},
		"workers that go on":         {"lib.build" + handler, 40, 20, "lib.link"},
		"three of them":              {"lib.build" + handler, 3, 3, "lib.link"},
		"what a ticker starts":       {"lib.tick", 40, 40, "lib.link"},
	} {
		p := newProfiles(Input{Window: window(10), Profiles: single(profileOf(t, unpark.KindCPU, made{"lib.link", 1, 100}))})
		trace := &exectrace.Trace{
			Stacks: [][]unpark.Site{nil, sitesOf("lib.link"), sitesOf(c.creator)},
			Starts: map[int32]map[int32]int64{1: {2: c.count}}, Ended: map[int32]int64{1: c.ended},
		}
		p.complete(&traces{window: p, all: []*exectrace.Trace{trace}, fair: []int{0}, count: 10_000})
		if got := paths(tree(p, unpark.KindCPU).Roots); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestCutOff: a stack that is deeper than its profile is below the function that the
// others came to it by.
func TestCutOff(t *testing.T) {
	deep := strings.Repeat("lib.parse lib.sequence ", deepCPU/2)
	whole := "lib.scan lib.parse lib.sequence lib.parse lib.Unmarshal" + handler
	p := newProfiles(Input{Window: window(10), Profiles: single(profileOf(t, unpark.KindCPU,
		made{deep, 3, 300}, made{whole, 1, 100}, made{"lib.other main.put@9" + serve, 1, 100},
	))})
	p.complete(&traces{window: p})
	tr := tree(p, unpark.KindCPU)
	if got := tr.Through("lib.Unmarshal"); !near(got, 4, 1e-9) {
		t.Errorf("%v s below Unmarshal, want 4: %q", got, paths(tr.Roots))
	}
	if got := len(tr.Roots); got != 2 {
		t.Errorf("%d roots: %q", got, paths(tr.Roots))
	}
}

// TestCutOffInside: where a recursion was cut off is chance: the outermost function to which others show a
// way decides. A stack that is as deep, but begins with what nothing calls, is whole, whatever it shares with requests.
func TestCutOffInside(t *testing.T) {
	turns := func(n int) string { return strings.Repeat("lib.rule lib.eval lib.step ", n) }
	whole := "lib.get lib.eval lib.Query" + handler
	for name, c := range map[string]struct {
		stack string
		query float64 // s below the handler's call
	}{
		"cut off in a turn that no whole stack has": {"lib.get " + turns(21) + "lib.rule", 4},
		"a little less deep":                        {"lib.get " + turns(19) + "lib.rule", 4},
		"half as deep, so whole":                    {"lib.get " + turns(10) + "lib.rule", 1},
		"begins where nothing calls":                {"lib.get " + turns(21) + "lib.background", 1},
	} {
		p := newProfiles(Input{Window: window(10), Profiles: single(profileOf(t, unpark.KindCPU,
			made{c.stack, 3, 300}, made{whole, 1, 100},
		))})
		p.complete(&traces{window: p})
		tr := tree(p, unpark.KindCPU)
		if got := tr.Through("lib.Query"); !near(got, c.query, 1e-9) {
			t.Errorf("%s: %v s below Query, want %v: %q", name, got, c.query, paths(tr.Roots))
		}
	}
}

// TestAmounts: of a stack's cost it is said what goes to system calls, and what of that to opening
// and closing files; syncs and sockets are none of those.
func TestAmounts(t *testing.T) {
	const call = "internal/runtime/syscall.Syscall6 syscall.RawSyscall6 syscall.Syscall "
	for name, c := range map[string]struct {
		stack         string
		kernel, files float64
	}{
		"opens a file":  {call + "syscall.openat syscall.Open os.openFileNolog os.OpenFile main.h@3" + serve, 1, 1},
		"reads a file":  {call + "syscall.read syscall.Read internal/poll.(*FD).Read os.(*File).Read main.h@3" + serve, 1, 0},
		"syncs a file":  {call + "syscall.Fsync internal/poll.(*FD).Fsync os.(*File).Sync main.h@3" + serve, 1, 0},
		"closes a peer": {call + "syscall.Close internal/poll.(*FD).Close net.(*conn).Close main.h@3" + serve, 1, 0},
		"computes":      {"main.h@3" + serve, 0, 0},
	} {
		p := newProfiles(Input{Window: window(10), Profiles: single(profileOf(t, unpark.KindCPU, made{c.stack, 1, 100}))})
		tr := tree(p, unpark.KindCPU)
		if len(tr.Roots) != 1 || !near(tr.Roots[0].Kernel, c.kernel, 1e-9) || !near(tr.Roots[0].Files, c.files, 1e-9) {
			t.Errorf("%s: %+v", name, tr.Roots[0])
		}
	}
}

// TestParallel: what only a trace says of GOMAXPROCS is of its process alone, and what the process said
// itself stays.
func TestParallel(t *testing.T) {
	before := []unpark.Process{{PID: 1}, {PID: 2, GOMAXPROCS: unpark.Num(8)}, {PID: 3}}
	ts := &traces{procs: map[int]int{1: 2, 2: 4}}
	after := ts.parallel(before)
	if after[0].GOMAXPROCS != unpark.Num(2) || after[1].GOMAXPROCS != unpark.Num(8) || after[2].GOMAXPROCS.Known() {
		t.Errorf("%+v", after)
	}
	if before[0].GOMAXPROCS.Known() {
		t.Error("what was given was changed")
	}
}
