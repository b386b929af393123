package diagnose

import (
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestLarger: where requests wait for one another more of what there may be is hoped for, and of a time less; of what computes, or of what is no
// number of things, nothing is said.
func TestLarger(t *testing.T) {
	for _, c := range []struct {
		class unpark.Class
		name  string
		kind  string
		want  string
	}{
		{unpark.ClassChannel, "ThrottleOpts.BacklogLimit", "int", "larger setting"},
		{unpark.ClassPool, "Options.MaxInFlight", "uint32", "larger setting"},
		{unpark.ClassRateLimit, "Config.RetryInterval", "time.Duration", "shorter setting"},
		{unpark.ClassCPU, "Options.CacheSize", "int", "setting"},
		{unpark.ClassChannel, "Options.Level", "int", "setting"},
		{unpark.ClassChannel, "Options.Maxim", "string", "setting"},
	} {
		if got := larger([]unpark.Offer{{Class: c.class, Name: c.name, Type: c.kind}}); got != c.want {
			t.Errorf("%s of a %s: %q, want %q", c.name, c.class, got, c.want)
		}
	}
	mixed := []unpark.Offer{{Class: unpark.ClassPool, Name: "Options.PoolSize", Type: "int"}, {Class: unpark.ClassPool, Name: "Options.Dialer", Type: "string"}}
	if got := larger(mixed); got != "setting" {
		t.Errorf("of two sorts: %q", got)
	}
}

// TestKeptPlace: where those that have a connection of a database wait for the disk, what is known of that frees the connection sooner; not where they
// do seldom, or where it is another's disk.
func TestKeptPlace(t *testing.T) {
	sync := []string{"syscall.fsync", "modernc.org/sqlite/lib._unixSync", "modernc.org/sqlite/lib._sqlite3VdbeExec"}
	below := append(append([]string{}, sync...), "database/sql.(*DB).ExecContext", "main.put")
	wait := func(delay float64, side unpark.Side, stack ...string) facts.Wait {
		return facts.Wait{Class: unpark.WaitSyscall, Side: side, Delay: delay, Stack: stackOf(stack...)}
	}
	f := unpark.Finding{Class: unpark.ClassPool, Waiter: &unpark.Site{Function: "main.put"}, Path: stackOf("runtime.selectgo", "database/sql.(*DB).conn", "database/sql.(*DB).QueryContext", "main.put")}
	for name, c := range map[string]struct {
		f     unpark.Finding
		w     facts.Wait
		found bool
	}{
		"half of the time":              {f, wait(5, unpark.RequestPath, below...), true},
		"seldom":                        {f, wait(1, unpark.RequestPath, below...), false},
		"in the background":             {f, wait(5, unpark.Background, below...), false},
		"without a connection":          {f, wait(5, unpark.RequestPath, append(append([]string{}, sync...), "main.log")...), false},
		"a channel is waited for":       {unpark.Finding{Class: unpark.ClassChannel, Waiter: f.Waiter, Path: f.Path}, wait(5, unpark.RequestPath, below...), false},
		"the pool is of something else": {unpark.Finding{Class: unpark.ClassPool, Waiter: f.Waiter, Path: stackOf("example.org/pool.(*Pool).Get", "main.put")}, wait(5, unpark.RequestPath, below...), false},
	} {
		got := keptFor(&model.Model{Seconds: 10, Ev: facts.Evidence{Waits: []facts.Wait{c.w}}}, c.f)
		if len(got) > 0 != c.found || c.found && got[0].ID != "sqlite-wal" {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestWidening: the capacity of the channel at a wait comes first and alone, whatever else is offered; and what two places have is told once.
func TestWidening(t *testing.T) {
	at := func(function string) unpark.Offer {
		return unpark.Offer{Kind: unpark.OfferSetting, Class: unpark.ClassPool, At: function, By: "Reader.Decode", Package: "example.org/zip", Version: "v1.0.0", Name: "Options.Decoders", Type: "int"}
	}
	f := unpark.Finding{Class: unpark.ClassPool, Path: stackOf("runtime.chanrecv1", "example.org/zip.(*Reader).Decode", "example.org/zip.(*Reader).All", "main.serve"), Remedies: []unpark.Remedy{{Title: "Hold it for less time"}}}
	first, again, other := at("example.org/zip.(*Reader).Decode"), at("example.org/zip.(*Reader).All"), at("example.org/zip.(*Reader).Decode")
	other.Name = "Options.MaxWindow"
	first.On = true
	if got := Offered(f, []unpark.Offer{first, again, other})[0].Title; got != "Raise Options.Decoders of zip: the channel that Reader.Decode waits at has its capacity from it" {
		t.Errorf("first is %q", got)
	}
	first.On = false
	for _, r := range Offered(f, []unpark.Offer{first, again}) {
		if r.Title != "Hold it for less time" && r.Title != "See whether a setting of zip helps: Options.Decoders" {
			t.Errorf("told is %q", r.Title)
		}
	}
	third, fourth := again, again
	other.At, third.Name, fourth.Name = again.At, "Options.Lanes", "Options.Seats"
	if got := Offered(f, []unpark.Offer{first, other, third, fourth}); !slices.ContainsFunc(got, func(r unpark.Remedy) bool {
		return r.Title == "See whether a setting of zip helps: Options.Decoders, Options.MaxWindow, Options.Lanes"
	}) {
		t.Errorf("of four settings: %+v", got)
	}
}

// TestMoreWorkers: the setting of how many goroutines there are is told where these are too few, in place of the general advice; of another wait on such
// a goroutine it says nothing.
func TestMoreWorkers(t *testing.T) {
	f := unpark.Finding{Class: unpark.ClassPool, Path: stackOf("net.(*conn).Read", "main.handle", "example.org/pool.New.func1"), Remedies: []unpark.Remedy{{Title: "Do it elsewhere"}, {Title: moreLoops}}}
	o := unpark.Offer{Kind: unpark.OfferWorkers, Class: unpark.ClassPool, At: "example.org/pool.New.func1", Package: "example.org/web", Version: "v1.0.0", Name: "Config.Handlers", Type: "int"}
	titles := func() (out []string) {
		for _, r := range Offered(f, []unpark.Offer{o}) {
			out = append(out, r.Title)
		}
		return out
	}
	if got := titles(); !slices.Equal(got, []string{"Raise Config.Handlers of web: as many goroutines of pool.New serve requests, one after another", "Do it elsewhere"}) {
		t.Errorf("told is %q", got)
	}
	f.Remedies = f.Remedies[:1]
	if got := titles(); !slices.Equal(got, []string{"Do it elsewhere"}) {
		t.Errorf("of a wait for a place, told is %q", got)
	}
	o.By = "Pool.Submit"
	if got := titles(); !slices.Equal(got, []string{"Raise Config.Handlers of web: as many goroutines are at the other end of the channel that Pool.Submit waits at", "Do it elsewhere"}) {
		t.Errorf("of a queue, told is %q", got)
	}
}
