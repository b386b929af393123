package advice

import (
	"slices"
	"testing"
)

func TestFor(t *testing.T) {
	for _, c := range []struct {
		name string
		of   Case
		want string // the first; "" for none
	}{
		{"a gzip writer for each answer", Case{Class: "alloc", Stack: []string{"compress/flate.NewWriter", "compress/gzip.(*Writer).Write", "main.zip"}}, "gzip-writer-reuse"},
		{"deflate of answers", Case{Class: "recompute", Stack: []string{"compress/flate.(*compressor).deflate", "compress/gzip.(*Writer).Write", "main.zip"}}, "gzip-level"},
		{"deflate of pictures", Case{Class: "recompute", Stack: []string{"compress/flate.(*compressor).deflate", "compress/zlib.(*Writer).Write", "image/png.(*encoder).writeImage", "image/png.(*Encoder).Encode", "main.draw"}}, ""},
		{"and what they cost", Case{Class: "cpu", Stack: []string{"compress/flate.(*compressor).deflate", "compress/zlib.(*Writer).Write", "image/png.(*encoder).writeImage", "image/png.(*Encoder).Encode", "main.draw"}}, "png-encoder"},
		{"regexps that are compiled", Case{Class: "cpu", Stack: []string{"regexp.MustCompile", "main.route"}}, "regexp-compile"},
		{"a class that it is not about", Case{Class: "ratelimit", Stack: []string{"regexp.MustCompile", "main.route"}}, ""},
		{"a function of nobody", Case{Class: "cpu", Stack: []string{"main.route"}}, ""},
		{"a sync of SQLite's commit", Case{Class: "io", Stack: []string{"modernc.org/sqlite/lib._unixSync", "modernc.org/sqlite/lib._sqlite3WalFrames", "main.put"}}, "sqlite-wal"},
		{"a sync of its checkpoint", Case{Class: "io", Stack: []string{"modernc.org/sqlite/lib._unixSync", "modernc.org/sqlite/lib._walCheckpoint", "main.put"}}, "sqlite-checkpoint"},
		{"a wait for SQLite's one writer", Case{Class: "downstream", Stack: []string{"time.Sleep", "modernc.org/sqlite.busyHandler", "modernc.org/sqlite/lib._sqlite3InvokeBusyHandler", "modernc.org/sqlite/lib._sqlite3VdbeExec", "main.put"}, Culprit: 1, Site: 4}, "sqlite-one-writer"},
		{"a query of SQLite that it does not keep waiting", Case{Class: "downstream", Stack: []string{"modernc.org/sqlite/lib._sqlite3VdbeExec", "main.put"}}, "sqlite-missing-index"},
		{"a client of any major version", Case{Class: "downstream", Stack: []string{"github.com/google/go-github/v71/github.(*Client).bareDo", "main.list"}}, "github-conditional"},
		{"another major version", Case{Class: "pool", Stack: []string{"github.com/redis/go-redis/v12/internal/pool.(*ConnPool).waitTurn", "main.get"}}, "redis-pool-size"},
		{"what a library does before what Go's pool does for all", Case{Class: "pool", Stack: []string{"database/sql.(*DB).conn", "database/sql.(*DB).QueryContext", "gorm.io/gorm.(*PreparedStmtDB).QueryContext", "gorm.io/gorm/callbacks.saveAssociations", "main.put"}, Culprit: 2, Site: 4}, "gorm-omit-associations"},
		{"Go's own, where that is the culprit", Case{Class: "pool", Stack: []string{"database/sql.(*DB).conn", "database/sql.(*DB).QueryContext", "gorm.io/gorm.(*PreparedStmtDB).QueryContext", "gorm.io/gorm/callbacks.saveAssociations", "main.put"}, Site: 4}, "sql-max-open"},
		{"elements that are sorted anew", Case{Class: "cpu", Stack: []string{"slices.pdqsortCmpFunc[go.shape.struct { main.score int }]", "slices.SortFunc[go.shape.[]uint8,go.shape.uint8]", "main.top"}}, "sort-once-or-top"},
		{"a file that is read", Case{Class: "syscall", Stack: []string{"os.openFileNolog", "os.OpenFile", "os.Open", "os.ReadFile", "main.page"}}, "readfile-per-request"},
		{"a file that is opened to be written", Case{Class: "syscall", Stack: []string{"os.openFileNolog", "os.OpenFile", "main.log"}}, "file-open-per-write"},
		{"a search for devices", Case{Class: "downstream", Stack: []string{"runtime.selectgo", "github.com/hashicorp/mdns.(*client).query", "github.com/hashicorp/mdns.QueryContext", "main.find"}, Culprit: 1, Site: 3}, "discovery-in-background"},
		{"a query of flags that waits for what is fetched", Case{Class: "downstream", Stack: []string{"github.com/configcat/go-sdk/v9.(*configFetcher).refreshIfOlder", "github.com/configcat/go-sdk/v9.(*Client).GetBoolValue", "main.show"}, Site: 2}, "configcat-snapshot"},
		{"a WAF that is made for a request", Case{Class: "cpu", Stack: []string{"regexp/syntax.Parse", "regexp.Compile", "github.com/corazawaf/coraza/v3/internal/seclang.(*Parser).FromString", "github.com/corazawaf/coraza/v3.NewWAF", "main.guard"}, Culprit: 3, Site: 4}, "coraza-one-waf"},
		{"a WAF that is asked", Case{Class: "cpu", Stack: []string{"github.com/corazawaf/coraza/v3/internal/corazawaf.(*Rule).Evaluate", "main.guard"}, Site: 1}, ""},
		{"a prefix that is not asked for", Case{Class: "cpu", Stack: []string{"github.com/gaissmai/bart.(*Table[go.shape.int]).LookupPrefixLPM", "main.route"}, Site: 1}, "bart-lookup"},
		{"an address that is looked up", Case{Class: "cpu", Stack: []string{"github.com/gaissmai/bart.(*Table[go.shape.int]).Lookup", "main.route"}, Site: 1}, ""},
		{"a rule in CEL by its other name", Case{Class: "cpu", Stack: []string{"cel.dev/cel-go/interpreter.(*evalTestOnly).Eval", "cel.dev/cel-go/cel.(*prog).Eval", "main.allow"}, Culprit: 1, Site: 2}, "cel-optimize"},
		{"an address that is asked for by a command", Case{Class: "downstream", Stack: []string{"os/exec.(*Cmd).Wait", "os/exec.(*Cmd).Output", "github.com/hashicorp/go-sockaddr.routeInfo.GetDefaultInterfaceName", "github.com/hashicorp/go-sockaddr.GetPrivateIP", "main.self"}, Culprit: 3, Site: 4}, "sockaddr-once"},
		{"an expression of a policy that is compiled again", Case{Class: "cpu", Stack: []string{"regexp.compile", "github.com/ory/ladon/compiler.CompileRegex", "github.com/ory/ladon.(*RegexpMatcher).Matches", "main.allow"}, Culprit: 1, Site: 3}, "ladon-matcher-size"},
		{"policies that are gone through", Case{Class: "cpu", Stack: []string{"github.com/ory/ladon.(*Ladon).DoPoliciesAllow", "github.com/ory/ladon.(*Ladon).IsAllowed", "main.allow"}, Site: 2}, ""},
		{"a query that a gateway plans", Case{Class: "cpu", Stack: []string{"github.com/nautilus/gateway.(*MinQueriesPlanner).extractSelection", "github.com/nautilus/gateway.(*MinQueriesPlanner).Plan", "github.com/nautilus/gateway.(*NoQueryPlanCache).Retrieve", "main.query"}, Site: 3}, "nautilus-plan-cache"},
		{"a plan that is kept", Case{Class: "cpu", Stack: []string{"github.com/nautilus/gateway.(*AutomaticQueryPlanCache).Retrieve", "main.query"}, Site: 1}, ""},
		{"a key that is put by a transaction of its own", Case{Class: "io", Stack: []string{"github.com/bmatsuo/lmdb-go/lmdb.(*Txn).commit", "github.com/bmatsuo/lmdb-go/lmdb.(*Env).Update", "main.put"}, Site: 2}, "lmdb-batch"},
		{"a key that is read", Case{Class: "io", Stack: []string{"github.com/bmatsuo/lmdb-go/lmdb.(*Env).View", "main.get"}, Site: 1}, ""},
		{"a report that is waited for", Case{Class: "downstream", Stack: []string{"github.com/bugsnag/bugsnag-go/v2.(*payload).deliver", "github.com/bugsnag/bugsnag-go/v2.Notify", "main.serve"}, Site: 2}, "bugsnag-async"},
		{"a report that is put together", Case{Class: "cpu", Stack: []string{"github.com/bugsnag/bugsnag-go/v2.Notify", "main.serve"}, Site: 1}, ""},
		{"another SQLite's one writer", Case{Class: "downstream", Stack: []string{"time.Sleep", "github.com/ncruces/go-sqlite3.env.Xgo_busy_timeout", "github.com/ncruces/go-sqlite3.(*Stmt).Step", "main.put"}, Culprit: 1, Site: 3}, "sqlite-one-writer"},
	} {
		got := ""
		if all := For(c.of); len(all) > 0 {
			got = all[0].ID
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestTies: what is equally near to a cost is told in the order of the shelves, of one shelf as it stands there, and what is
// nearer before both.
func TestTies(t *testing.T) {
	for _, c := range []struct {
		name string
		of   Case
		want []string
	}{
		{"settings before costs of the runtime", Case{Class: "gc", Stack: []string{"runtime.gcDrain", "main.work"}}, []string{"gogc", "gomemlimit", "gc-greentea", "gc-pointer-free"}},
		{"Go's JSON before another decoder", Case{Class: "cpu", Stack: []string{"encoding/json.Unmarshal", "main.read"}}, []string{"json-codegen", "sonic-get"}},
		{"what is said of any database before what is said of gorm", Case{Class: "downstream", Stack: []string{"gorm.io/gorm/callbacks.Query", "main.list"}}, []string{"sql-missing-index", "gorm-prepare-stmt"}},
		{"compression before archives", Case{Class: "cpu", Stack: []string{"compress/flate.(*compressor).findMatch", "archive/zip.(*pooledFlateWriter).Write", "main.pack"}}, []string{"gzip-level", "gzip-klauspost", "zip-store-compressed"}},
		{"but for the culprit itself", Case{Class: "cpu", Stack: []string{"compress/flate.(*compressor).findMatch", "archive/zip.(*pooledFlateWriter).Write", "main.pack"}, Culprit: 1}, []string{"zip-store-compressed", "gzip-level", "gzip-klauspost"}},
	} {
		var got []string
		for _, a := range For(c.of) {
			got = append(got, a.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestBefore(t *testing.T) {
	for _, c := range []struct {
		have, before string
		want         bool
	}{
		{"go1.24.3", "1.25", true}, {"go1.25", "1.25", false}, {"go1.26.8", "1.25", false}, {"", "1.25", true}, {"go1.25rc1", "1.26", true},
	} {
		if got := (Case{Go: c.have}).old(c.before); got != c.want {
			t.Errorf("%s before %s: %v", c.have, c.before, got)
		}
	}
	modules := map[string]string{"github.com/x/y": "v1.9.0"}
	for before, want := range map[string]bool{"github.com/x/y v1.10.0": true, "github.com/x/y v1.9.0": false, "github.com/x/z v1.0.0": true} {
		if got := (Case{Modules: modules}).old(before); got != want {
			t.Errorf("before %s: %v", before, got)
		}
	}
}

// TestSpares: of advice to make something once all that it names goes; of advice to keep something, what makes it; of any other nothing.
func TestSpares(t *testing.T) {
	all := []string{"rules.Eval", "rules.NewProgram", "rules/internal.*"}
	for remedy, want := range map[Remedy][]string{Once: {"rules.Eval", "rules.NewProgram"}, Fewer: {"rules.NewProgram"}, Together: nil, Setting: nil} {
		if got := (Advice{Culprits: all, Remedy: remedy}).Spares(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", remedy, got, want)
		}
	}
}
