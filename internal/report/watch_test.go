package report

import (
	"encoding/json"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/unpark-go/unpark"
)

func shopSite(function, file string, line int) unpark.Site {
	return unpark.Site{Function: "github.com/acme/shop/" + function, File: "/src/shop/" + file, Line: line}
}

// watchGroup is a group of goroutines 10, 11, … with one stack.
func watchGroup(m unpark.Motion, state string, n int, age float64, at, created unpark.Site) unpark.WatchGroup {
	g := unpark.WatchGroup{
		Motion: m, State: state, Class: unpark.WaitChannel, Side: unpark.RequestPath, Site: at, Created: created, Goroutines: n,
		Oldest: unpark.Num(age), Why: "same place and arguments in 7 dumps", Series: []int{n, n, n}, Stack: []unpark.Site{at},
	}
	for i := range min(n, 10) {
		g.Members = append(g.Members, unpark.WatchMember{ID: int64(10 + i), Age: age, Creator: 1})
	}
	return g
}

func watchOf(processes int, groups ...unpark.WatchGroup) unpark.Watch {
	w := unpark.Watch{
		Started: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Seconds: 60.5, Every: 10, Unpark: unpark.Version{Version: "v0.1.0", Go: "go1.26.8"}, Groups: groups,
	}
	w.Totals.Places = len(groups)
	for _, g := range groups {
		*w.Totals.Of(g.Motion) += g.Goroutines
		w.Totals.Goroutines += g.Goroutines
	}
	for i := range processes {
		w.Processes = append(w.Processes, unpark.WatchProcess{
			Endpoint: "http://127.0.0.1:6060", PID: 4711 + i, Go: "go1.27.1", LeakProfile: unpark.Present, Collected: unpark.Num(0.004),
			Dumps: []unpark.WatchDump{{Took: 0.0012, Bytes: 81234, Goroutines: 212}, {At: 30, Took: 0.002, Bytes: 81300, Goroutines: 212}, {At: 60.5, Took: 0.0011, Bytes: 81234, Goroutines: 212}},
		})
	}
	return w
}

// watches are watches as `unpark watch` makes them, one for each shape of its text.
func watches() map[string]unpark.Watch {
	receive, put, run := shopSite("bank.(*account).receive", "account.go", 145), shopSite("store.(*Store).put", "store.go", 88), shopSite("bank.Start", "bank.go", 12)
	server := unpark.Site{Function: "net/http.(*Server).Serve", File: "/usr/lib/go/src/net/http/server.go", Line: 3464}
	parked := watchGroup(unpark.MotionParked, "IO wait", 208, 60.5, unpark.Site{Function: "net/http.(*conn).serve", File: "/usr/lib/go/src/net/http/server.go", Line: 2067}, server)
	deadlock := watchOf(1, watchGroup(unpark.MotionStuck, "sync.Mutex.Lock", 2, 360, receive, run), watchGroup(unpark.MotionStuck, "chan send", 1, 60.5, put, run), parked)
	deadlock.Groups[0].Proven, deadlock.Groups[0].Objects = 2, []string{"sync.Mutex 0xc000020030", "sync.Mutex 0xc000010010"}
	deadlock.Deadlocks = []unpark.WatchDeadlock{{
		Certainty: unpark.Likely, Title: "2 locks that wait for each other in a ring", Count: 2, Goroutines: []int64{10, 11},
		Evidence: []string{"goroutine 10 waits for sync.Mutex 0xc000020030 at account.go:145, which no goroutine got; the stack of goroutine 11 points at what contains it"},
	}}
	deadlock.Links = []unpark.WatchLink{
		{From: []int64{10}, FromCount: 1, Site: receive, Object: "sync.Mutex 0xc000020030", To: []int64{11}, ToCount: 1, ToSite: receive, Certainty: unpark.Likely, Why: "an argument on their stack points at what contains the lock"},
		{From: []int64{12, 13, 14, 15}, FromCount: 44, Site: put, Object: "sync.RWMutex", Certainty: unpark.Likely, Why: "one of 40 goroutines that were there all the time, or none"},
	}
	moving := watchGroup(unpark.MotionAdvancing, "chan receive", 3, 1.5, put, run)
	moving.Came, moving.Went = 812, 811
	running := watchGroup(unpark.MotionAdvancing, "runnable", 1, 0, put, run)
	running.Oldest = unpark.Number{}
	leak := watchOf(2, moving, running, watchGroup(unpark.MotionRecent, "chan send", 40, 50, put, run), parked)
	leak.Leaks = []unpark.WatchLeak{
		{Certainty: unpark.Proven, State: "chan send", Site: put, Created: run, First: 2, Last: 42, PerSecond: unpark.Num(0.66), Oldest: unpark.Num(50), Leaked: 42, Why: "the goroutineleak profile: nothing that runs can reach what they wait on", Stack: []unpark.Site{put}},
		{Certainty: unpark.Likely, State: "select", Site: receive, Created: run, First: 0, Last: 7, Why: "7 goroutines came after the first dump and stayed, and none that had stayed left", Stack: []unpark.Site{receive}},
	}
	unsure := watchOf(1, watchGroup(unpark.MotionWaiting, "sync.Cond.Wait", 4, 60.5, put, run), watchGroup(unpark.MotionOutside, "select", 1, 60.5, receive, server), parked)
	unsure.Processes[0].LeakProfile, unsure.Processes[0].LeakNote = unpark.Absent, "the service has no goroutineleak profile"
	few := watchOf(1, watchGroup(unpark.MotionRecent, "chan send", 2, 10, put, run), parked)
	few.Partial = "interrupted after 2 of 7 dumps"
	few.Warnings = []unpark.Notice{{Code: "few-dumps", Message: "it takes 3 dumps to call a goroutine stuck, and there is a process with 2", Cure: "watch for longer"}}
	const huge = math.MaxInt>>23 + 1 // 1 << 40 where int has 64 bits
	long := unpark.Site{Function: strings.Repeat("x/", 80) + "y.(*T).f\x1b[31m", File: strings.Repeat("z", 200) + ".go", Line: huge}
	hostile := watchOf(6, watchGroup(unpark.MotionStuck, "\x1b[2J\n"+strings.Repeat("s", 90), huge, 1e12, long, long))
	hostile.Groups[0].Why, hostile.Groups[0].Objects = strings.Repeat("why ", 90), []string{"\x07", "\u202e", strings.Repeat("o", 300)}
	hostile.Deadlocks = []unpark.WatchDeadlock{{Process: 99, Title: "\x1b]0;t\x07", Evidence: []string{"\n\n"}}}
	hostile.Links = []unpark.WatchLink{{Process: -1, Site: long, ToSite: long, To: []int64{1}, Object: strings.Repeat("o", 300)}}
	hostile.Leaks = []unpark.WatchLeak{{Site: long, Created: long, State: "\x00"}}
	healthy := watchOf(1, moving, parked)
	return map[string]unpark.Watch{
		"healthy": healthy, "deadlock": deadlock, "leak": leak, "unsure": unsure, "few": few, "hostile": hostile, "nothing": {},
	}
}

func TestWatchText(t *testing.T) {
	for name, w := range watches() {
		t.Run(name, func(t *testing.T) {
			text := render(t, Text, w)
			golden(t, "watch-"+name+".txt", []byte(text))
			checkLines(t, text)
			if got := ansi.Strip(render(t, Color, w)); got != text {
				t.Errorf("colour differs in more than colour:\n%s", got)
			}
		})
	}
}

func TestWatchFirstLine(t *testing.T) {
	for name, want := range map[string]string{
		"healthy":  "WATCH  nothing is stuck: 211 goroutines in 2 places, all advance or are parked\n",
		"deadlock": "WATCH  3 of 211 goroutines are stuck: sync.Mutex.Lock at",
		"leak":     "WATCH  nothing is stuck, and goroutines gather at",
		"unsure":   "WATCH  nothing is known to be stuck: of 213 goroutines in 3 places, 4 goroutines may be idle",
		"few":      "PARTIAL interrupted after 2 of 7 dumps\n\nWATCH  too few dumps to tell",
	} {
		if got := render(t, Text, watches()[name]); !strings.HasPrefix(got, want) {
			t.Errorf("%s begins with %.120q, want %q", name, got, want)
		}
	}
}

// watchSchemas adds the schema of watches to the others.
func watchSchemas(t *testing.T) map[string]map[string]any {
	t.Helper()
	all := schemas(t)
	text, err := os.ReadFile("../../docs/watch.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var s map[string]any
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	all["watch.schema.json"] = s
	return all
}

func TestWatchFitsTheSchema(t *testing.T) {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	for file, s := range watchSchemas(t) {
		if err := c.AddResource(schemaBase+file, s); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := c.Compile(schemaBase + "watch.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, w := range watches() {
		text := render(t, JSON, w)
		var back unpark.Watch
		if err := json.Unmarshal([]byte(text), &back); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name == "hostile" { // not what the stage makes
			continue
		}
		if err := schema.Validate(parse(t, text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if again := render(t, JSON, back); again != text {
			t.Errorf("%s: what was read and written again differs", name)
		}
	}
	for name, breakIt := range map[string]func(d map[string]any){
		"another version":   func(d map[string]any) { d["schema"] = "unpark.watch/v2" },
		"no totals":         func(d map[string]any) { delete(d, "totals") },
		"null for a list":   func(d map[string]any) { d["leaks"] = nil },
		"a motion unheard":  func(d map[string]any) { d["groups"].([]any)[0].(map[string]any)["motion"] = "asleep" },
		"an id of 0":        func(d map[string]any) { d["links"].([]any)[0].(map[string]any)["from"] = []any{json.Number("0")} },
		"a maybe":           func(d map[string]any) { d["deadlocks"].([]any)[0].(map[string]any)["certainty"] = "maybe" },
		"a group, no stack": func(d map[string]any) { delete(d["groups"].([]any)[0].(map[string]any), "stack") },
	} {
		d := parse(t, render(t, JSON, watches()["deadlock"])).(map[string]any)
		breakIt(d)
		if schema.Validate(d) == nil {
			t.Errorf("accepted: %s", name)
		}
	}
}

func TestWatchSchemaCoversTheTypes(t *testing.T) {
	w := walker{t: t, all: watchSchemas(t), seen: map[reflect.Type]bool{}}
	w.walk("watch", "watch.schema.json", w.all["watch.schema.json"], reflect.TypeFor[unpark.Watch]())
	if len(w.seen) < 11 {
		t.Errorf("only %d types were seen", len(w.seen))
	}
}
