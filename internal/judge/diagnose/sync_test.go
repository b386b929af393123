package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// syncing is a wait for the disk below so many callers, the innermost first.
func syncing(delay float64, callers ...string) facts.Wait {
	w := waits(unpark.WaitSyscall, delay, 0, "goroutine", append([]string{"syscall.Fsync", "os.(*File).Sync"}, append(callers, "net/http.(*conn).serve")...)...)
	w.Waiter = fn(callers[0])
	return w
}

// TestSyncsOfOne: what one function has synced in several places is one finding; what only
// the server has in common are two.
func TestSyncsOfOne(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b facts.Wait
		want int
	}{
		{"a file and its folder", syncing(40, "store.(*File).Commit", "store.(*Driver).Put", "app.save"), syncing(30, "store.syncDir", "store.(*Driver).Put", "app.save"), 1},
		{"two handlers", syncing(40, "store.(*File).Commit", "app.save"), syncing(30, "audit.(*Log).Append", "app.note"), 2},
		{"one handler, two packages", syncing(40, "store.(*File).Commit", "app.save"), syncing(30, "audit.(*Log).Append", "app.save"), 2},
	} {
		ev := calm()
		ev.Waits = []facts.Wait{c.a, c.b}
		limit, findings, _ := diagnose.Verdict(ev, nil)
		found := of(unpark.ClassIO, findings)
		if len(found) != c.want {
			t.Errorf("%s: %d findings, want %d", c.name, len(found), c.want)
		}
		if c.want == 1 && !strings.Contains(texts(found[0]), "part of it in store.syncDir") {
			t.Errorf("%s: facts:\n%s", c.name, texts(found[0]))
		}
		// 70 s of the 100 s that the requests took together.
		if limit.Kind != unpark.LimitIO {
			t.Errorf("%s: limit %s (%s), want io", c.name, limit.Kind, limit.Why)
		}
	}
}

// TestCallsTogether: system calls in several places bind together from half of a request's
// time, and not below it.
func TestCallsTogether(t *testing.T) {
	for _, c := range []struct {
		name string
		each float64 // s, of 100 that requests take
		want bool
	}{
		{"three fifths", 20, true},
		{"less than half", 15, false},
	} {
		ev := calm()
		ev.Waits = append(ev.Waits[:0],
			syncing(c.each, "store.write", "app.save"), syncing(c.each, "audit.write", "app.note"),
			waits(unpark.WaitSyscall, c.each, 0, "goroutine", "syscall.Open", "os.Open", "app.read", "net/http.(*conn).serve"))
		limit, _, _ := diagnose.Verdict(ev, nil)
		if is := limit.Kind == unpark.LimitIO; is != c.want {
			t.Errorf("%s: limit %s (%s)", c.name, limit.Kind, limit.Why)
		}
		if c.want && !strings.Contains(limit.Why, "most of that in") {
			t.Errorf("%s: %s", c.name, limit.Why)
		}
	}
}
