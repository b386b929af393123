package diagnose_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/facts/factstest"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestOneCause: what one function computes and the garbage of what it calls are one
// finding, of the class that most of it is; two functions are two.
func TestOneCause(t *testing.T) {
	grown := func(value float64, functions ...string) *facts.Node {
		var root, at *facts.Node
		for _, f := range functions {
			n := &facts.Node{Site: fn(f), App: f[:4] == "app.", Value: value, Caller: at}
			if at == nil {
				root = n
			} else {
				at.Calls = []*facts.Node{n}
			}
			at = n
		}
		return root
	}
	for _, c := range []struct {
		name    string
		garbage float64 // share of the CPU
		below   string  // what allocates, below app.page or beside it
		want    []unpark.Class
	}{
		{"mostly computing", 0.25, "app.page", []unpark.Class{unpark.ClassCPU}},
		{"mostly garbage", 0.6, "app.page", []unpark.Class{unpark.ClassAlloc}},
		{"two functions", 0.25, "app.other", []unpark.Class{unpark.ClassAlloc, unpark.ClassCPU}},
	} {
		ev := calm()
		ev.CPU.Cores, ev.CPU.Sampled, ev.CPU.RequestPath = unpark.Num(2.9), unpark.Num(29), unpark.Num(28)
		ev.CPU.Shares = facts.CPUShares{GC: unpark.Num(c.garbage / 2), Malloc: unpark.Num(c.garbage / 2)}
		ev.CPU.Tree = facts.Tree{Total: 22, Roots: []*facts.Node{grown(22, "app.page", "zip.New")}}
		ev.AllocTree = facts.Tree{Total: 1e9, Roots: []*facts.Node{grown(1e9, c.below, "flate.New")}}
		ev.Allocs = []facts.AllocSite{{Site: fn(c.below), Side: unpark.RequestPath, Bytes: 1e9, Objects: 1e5}}
		if c.below == "app.page" {
			ev.AllocTree.Roots[0].Calls[0].Site = fn("zip.New")
		}
		_, findings, _ := diagnose.Verdict(ev, nil)
		var got []unpark.Class
		for _, f := range findings {
			got = append(got, f.Class)
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestCallsOfOneDescriptor: requests that wait for one another to write to a connection,
// and the CPU of the writes, are one finding at the line that is yours.
func TestCallsOfOneDescriptor(t *testing.T) {
	ev := calm()
	names := []string{"internal/poll.(*fdMutex).rwlock", "internal/poll.(*FD).Write", "net.(*conn).Write", "statsd.(*Client).send", "app.count", "net/http.(*conn).serve"}
	ev.CPU.Cores, ev.CPU.Sampled, ev.CPU.RequestPath = unpark.Num(2.4), unpark.Num(24), unpark.Num(23)
	ev.Waits = []facts.Wait{waits(unpark.WaitLock, 60, 20000, "block.pb.gz", names...)}
	ev.Locks = []facts.Lock{{
		Side: unpark.RequestPath, Type: facts.DescriptorLock, Waiter: fn("net.(*conn).Write"), Delay: 60, Count: 20000, WaiterAll: stack(names[:4]...),
	}}
	writes := append(stack("syscall.Write"), stack(names[1:]...)...)
	ev.Signals = []facts.Signal{{ID: facts.SignalWrite, Site: fn("app.count"), Leaf: writes[0], CPU: 16, Stack: writes}}
	ev.Window.Load.BytesPerResponse = unpark.Num(3)
	limit, findings, _ := diagnose.Verdict(ev, nil)
	if limit.Kind != unpark.LimitIO || len(findings) != 1 {
		t.Fatalf("%s (%s), %+v", limit.Kind, limit.Why, findings)
	}
	f := findings[0]
	if f.Class != unpark.ClassIO || f.Site.Function != "app.count" || f.Culprit == nil || f.Culprit.Function != "statsd.(*Client).send" || !f.Cost.Cores.Known() {
		t.Errorf("%+v", f)
	}
}

// TestCallsOfWhatComputes: a function that computes for longer than its system calls wait is one
// finding; where they wait for longer, or another function makes them, there are two.
func TestCallsOfWhatComputes(t *testing.T) {
	for _, c := range []struct {
		name, calls string
		wait        float64 // s
		want        []string
	}{
		{"waits less", "stat.Lines", 10, []string{"cpu"}},
		{"waits more", "stat.Lines", 60, []string{"cpu", "io"}},
		{"another", "log.Write", 10, []string{"cpu", "io"}},
	} {
		ev := calm()
		ev.CPU.Cores, ev.CPU.Sampled, ev.CPU.RequestPath = unpark.Num(2.9), unpark.Num(29), unpark.Num(28)
		page := &facts.Node{Site: fn("app.page"), App: true, Value: 22}
		page.Calls = []*facts.Node{{Site: fn("stat.Lines"), Value: 22, Caller: page}}
		ev.CPU.Tree = facts.Tree{Total: 22, Roots: []*facts.Node{page}}
		ev.Waits = []facts.Wait{waits(unpark.WaitSyscall, c.wait, 0, "goroutine", "os.(*File).Read", c.calls, "app.page", "net/http.(*conn).serve")}
		_, findings, _ := diagnose.Verdict(ev, nil)
		var got []string
		for _, f := range findings {
			got = append(got, f.Rule)
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestAnswersOfAModule: what a module computes leads where only a few requests that were written down say that answers repeat; what
// Go's own packages compute does not, nor where the load draws what it asks for.
func TestAnswersOfAModule(t *testing.T) {
	of := func(place, file string, drawn bool) []unpark.Finding {
		data, err := os.ReadFile("testdata/recompute/positive.json")
		if err != nil {
			t.Fatal(err)
		}
		text := strings.NewReplacer(`"image/png.`, `"`+place+`.`, `"image/png/writer.go"`, `"`+file+`"`).Replace(string(data))
		var ev facts.Evidence
		if err := json.Unmarshal([]byte(text), &ev); err != nil {
			t.Fatal(err)
		}
		if drawn {
			ev.Plan.Requests[0].URL += "?of={{zipf}}"
		}
		_, findings, _ := diagnose.Verdict(factstest.Plant(ev), nil)
		return findings
	}
	repeats := func(f unpark.Finding) bool {
		return slices.ContainsFunc(f.Facts, func(f unpark.Fact) bool { return strings.Contains(f.Text, "equal an earlier one") })
	}
	const module, cached = "example.org/picture", "example.org/picture@v1.2.3/writer.go"
	if fs := of(module, cached, false); len(fs) != 1 || fs[0].Class != unpark.ClassCPU || fs[0].Culprit == nil || !strings.HasPrefix(fs[0].Culprit.Function, module) || !repeats(fs[0]) {
		t.Errorf("a module's: %+v", fs)
	}
	for name, fs := range map[string][]unpark.Finding{"drawn": of(module, cached, true), "Go's own": of("image/png", "image/png/writer.go", false)} {
		if len(fs) != 1 || fs[0].Class != unpark.ClassRecompute {
			t.Errorf("%s: %+v", name, fs)
		}
	}
}
