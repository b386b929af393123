package dump

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// readAll returns copies of the goroutines of a dump.
func readAll(t testing.TB, text string) ([]goroutine, summary) {
	t.Helper()
	var all []goroutine
	s, err := newReader().read([]byte(text), func(g *goroutine) {
		c := *g
		c.frames = nil
		for _, f := range g.frames {
			f.args = slices.Clone(f.args)
			c.frames = append(c.frames, f)
		}
		all = append(all, c)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, s
}

func TestHeader(t *testing.T) {
	for _, test := range []struct {
		line string
		want goroutine
	}{
		{"goroutine 1 [running]:", goroutine{id: 1, state: "running"}},
		{"goroutine 20 [sync.Mutex.Lock, 7 minutes]:", goroutine{id: 20, state: "sync.Mutex.Lock", minutes: 7}},
		{"goroutine 9 [chan receive (nil chan), 1 minutes, locked to thread]:", goroutine{id: 9, state: "chan receive (nil chan)", minutes: 1}},
		{"goroutine 9 [select (no cases) (leaked)]:", goroutine{id: 9, state: "select (no cases)", leaked: true}},
		{"goroutine 9 [chan send (scan), 3 minutes]:", goroutine{id: 9, state: "chan send", minutes: 3}},
		{"goroutine 9 [chan receive (durable), synctest bubble 4]:", goroutine{id: 9, state: "chan receive"}},
		{"goroutine 7 gp=0xc000006700 m=nil [IO wait, 2 minutes]:", goroutine{id: 7, state: "IO wait", minutes: 2}},
		{"goroutine 7 gp=0xc000006700 m=3 mp=0xc000100008 [syscall]:", goroutine{id: 7, state: "syscall"}},
		{`goroutine 7 [select, 5 minutes labels:{"a": "b]: [c", "d": "3 minutes"}]:`, goroutine{id: 7, state: "select", minutes: 5}},
		{`goroutine 7 [select, 5 minutes] {a: "b]: , 9 minutes [c"}:`, goroutine{id: 7, state: "select", minutes: 5}},
	} {
		all, _ := readAll(t, test.line+"\nmain.f()\n\ta.go:1 +0x1\n")
		g := all[0]
		if g.id != test.want.id || g.state != test.want.state || g.minutes != test.want.minutes || g.leaked != test.want.leaked {
			t.Errorf("%s: read as %+v", test.line, g)
		}
	}
}

func TestBrokenGoroutines(t *testing.T) {
	good := "\n\ngoroutine 5 [running]:\nmain.f()\n\ta.go:1 +0x1\n"
	for _, bad := range []string{
		"goroutine x [running]:\nmain.f()\n\ta.go:1", "goroutine 5 running:\nmain.f()\n\ta.go:1", "goroutine 5 [running\nmain.f()\n\ta.go:1",
		"goroutine 0 [running]:\nmain.f()\n\ta.go:1", "goroutine 99999999999999999999 [running]:", "goroutine 5 [running]", "goroutine ",
		"goroutine 5 [running]:\nthis is (no call\n\ta.go:1",
	} {
		all, s := readAll(t, bad+good)
		if len(all) != 1 || s.broken != 1 || s.goroutines != 1 {
			t.Errorf("%q: %d read, %+v", bad, len(all), s)
		}
	}
	for _, text := range []string{"", "\n\n", "<html>", "heap profile: 1", "goroutine profile: total 5\n1 @ 0x1\n"} {
		if _, err := newReader().read([]byte(text), func(*goroutine) {}); err == nil || !strings.Contains(err.Error(), "debug=2") {
			t.Errorf("%q: error %v, want one that names the endpoint", text, err)
		}
	}
}

func TestFrames(t *testing.T) {
	all, _ := readAll(t, `goroutine 5 [chan receive]:
main.(*T[...]).Get(0xc000012345, {0x1?, {0x2, 0x3}}, ..., _, 0xffffffffffffffff)
	/a path/with: blanks/a.go:12 +0x1d fp=0xc0 sp=0xc1 pc=0x45
main.inlined(...)
	C:/src/b.go:7
panic({0x1, 0x2})
	/usr/lib/go/panic.go:3 +0x1
...31 frames elided...
main.main.func1()
	/a/c.go:1 +0x2
runtime.goexit({})
	/r/asm.s:1
created by main.(*T).start in goroutine 17
	/a/d.go:44 +0x55
`)
	g := all[0]
	var names []string
	for _, f := range g.frames {
		names = append(names, f.site.String())
	}
	want := []string{"main.(*T[...]).Get a.go:12", "main.inlined b.go:7", "panic panic.go:3", "main.main.func1 c.go:1"}
	if !slices.Equal(names, want) || !g.elided {
		t.Errorf("frames %q, elided %v", names, g.elided)
	}
	args := []argument{{0xc000012345, true}, {1, false}, {2, true}, {3, true}, {0, false}, {0, false}, {^uint64(0), true}}
	if !slices.Equal(g.frames[0].args, args) || g.frames[1].args != nil {
		t.Errorf("arguments %v, %v", g.frames[0].args, g.frames[1].args)
	}
	if g.frames[0].site.File != "/a path/with: blanks/a.go" || g.created != (unpark.Site{Function: "main.(*T).start", File: "/a/d.go", Line: 44}) || g.creator != 17 {
		t.Errorf("file %q, created by %+v in %d", g.frames[0].site.File, g.created, g.creator)
	}
}

// TestOtherShapes: what is not a plain call.
func TestOtherShapes(t *testing.T) {
	all, s := readAll(t, `goroutine 5 [running]:
	goroutine running on other thread; stack unavailable
created by main.old
	/a/d.go:44 +0x55

goroutine 6 [syscall, locked to thread]:
non-Go function
	pc=0x7f01
runtime.cgocall(0x1)
	/r/cgocall.go:1
[originating from goroutine 5]:
main.f(...)
	/a/e.go:1
created by main.g
	/a/e.go:2

some other text
`)
	if len(all) != 2 || s.broken != 0 {
		t.Fatalf("%d read, %+v", len(all), s)
	}
	if len(all[0].frames) != 0 || all[0].created.Line != 44 || all[0].creator != 0 {
		t.Errorf("stack unavailable: %+v", all[0])
	}
	if len(all[1].frames) != 2 || all[1].frames[0].site.Function != "non-Go function" || !all[1].created.IsZero() {
		t.Errorf("cgo: %+v", all[1])
	}
}

func TestTruncated(t *testing.T) {
	text := "goroutine 1 [running]:\nmain.f()\n\ta.go:1 +0x1\n\ngoroutine 2 [select]:\nmain.g()\n\ta.g"
	all, s := readAll(t, text)
	if len(all) != 1 || !s.truncated {
		t.Errorf("%d read, %+v: what is cut off must not count", len(all), s)
	}
	full := strings.Repeat(" ", textLimit-len(text)) + "\n\n" + text
	if _, s := readAll(t, full); !s.truncated {
		t.Error("64 MB are not called truncated")
	}
}

// TestRealDumps reads dumps of the same program built with several versions of Go.
func TestRealDumps(t *testing.T) {
	states := []string{"chan receive", "chan receive", "chan receive", "chan receive", "sync.RWMutex.RLock", "sync.Mutex.Lock", "select (no cases)", "chan receive"}
	for _, name := range []string{"go1.22", "go1.26", "go1.26-labels", "go1.27", "go1.27-leaked"} {
		all, s := readAll(t, fixture(t, name))
		var got []string
		leaked, elided := 0, 0
		for _, g := range all {
			if g.creator == 1 && strings.HasPrefix(g.created.Function, "main.odd") {
				got = append(got, g.state)
			}
			if g.leaked {
				leaked++
			}
			if g.elided {
				elided++
			}
			for _, f := range g.frames {
				if f.site.Line == 0 || f.site.File == "" {
					t.Errorf("%s: goroutine %d: no place for %s", name, g.id, f.site.Function)
				}
			}
		}
		slices.Sort(got)
		want := slices.Sorted(slices.Values(states))
		// The write lock of an RWMutex waits on its Mutex where readers hold nothing.
		if !slices.Equal(got, want) || s.broken > 0 || s.truncated || elided != 1 {
			t.Errorf("%s: states %q, %d elided, %+v", name, got, elided, s)
		}
		if (leaked == 8) != (name == "go1.27-leaked") {
			t.Errorf("%s: %d leaked", name, leaked)
		}
	}
}

func fixture(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "dumps", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// FuzzRead: nothing breaks the reader, it reads each goroutine once, and the same
// however often it is asked.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/dumps/*.txt")
	if err != nil || len(files) < 8 {
		f.Fatalf("%d dumps, %v", len(files), err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
		f.Add(string(b[:len(b)/2]))
	}
	f.Add("goroutine 1 [running]:\nmain.f({}, {0x1?, ...}, _)\n\t:1\ncreated by \n\t:\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<20 {
			t.Skip("the reader is linear")
		}
		shape := func(r *reader) (string, summary, error) {
			var b strings.Builder
			s, err := r.read([]byte(text), func(g *goroutine) {
				if g.id <= 0 || g.state == "" || g.minutes < 0 || g.creator < 0 {
					t.Errorf("impossible goroutine %+v", *g)
				}
				fmt.Fprintf(&b, "%+v\n", *g)
			})
			return b.String(), s, err
		}
		r := newReader()
		first, s, err := shape(r)
		again, _, _ := shape(r)
		if first != again {
			t.Error("the second reading differs")
		}
		if headers := strings.Count(text, "goroutine "); s.goroutines+s.broken > headers {
			t.Errorf("%+v of %d headers", s, headers)
		}
		if (err == nil) != (s.goroutines > 0) {
			t.Errorf("error %v with %+v", err, s)
		}
		p := newProcess(testCatalogue(), nil)
		for range 3 {
			if _, err := p.add(epoch, []byte(text)); err != nil {
				return
			}
		}
		join([]*settled{settle(p, 0)})
	})
}

// TestRealDeadlocks: the addresses of locks are found in what each version prints.
func TestRealDeadlocks(t *testing.T) {
	for _, name := range []string{"deadlock-go1.22.12", "deadlock-go1.26", "deadlock-go1.27.1"} {
		p := newProcess(testCatalogue(), nil)
		for range fewest {
			if _, err := p.add(epoch, []byte(fixture(t, name))); err != nil {
				t.Fatal(err)
			}
		}
		s := settle(p, 0)
		if len(s.locked) != 1 || len(s.links) != 2 || !strings.HasPrefix(s.links[0].Object, "sync.Mutex 0x") || s.locked[0].Count != 2 {
			t.Errorf("%s: %+v, links %+v", name, s.locked, s.links)
		}
	}
}
