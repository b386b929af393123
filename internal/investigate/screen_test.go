package investigate

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/store"
)

func TestScreen(t *testing.T) {
	var out bytes.Buffer
	s := &screen{to: &out}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	event := func(ms int, e Event) { s.show(e, at.Add(time.Duration(ms)*time.Millisecond)) }
	event(0, Event{Phase: "start", Detail: "waiting for http://user:secret@127.0.0.1/"})
	event(10, Event{Phase: "window", Left: 3 * time.Second, Live: &load.Live{RPS: 900, P99: math.NaN(), Errors: 1, InFlight: 8}})
	event(260, Event{Phase: "window", Left: 2 * time.Second}) // too soon
	event(1010, Event{Phase: "window", Left: 2 * time.Second, Live: &load.Live{RPS: 910, P99: 0.01}})
	event(1020, Event{Phase: "measured", Load: &unpark.Load{AchievedRPS: 905}})
	event(1021, Event{Line: "a line", Cores: 1.5})
	var got []store.Live
	for line := range strings.Lines(out.String()) {
		var l store.Live
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		got = append(got, l)
	}
	if len(got) != 5 || got[1].RPS != 900 || got[1].P99 != 0 || got[2].RPS != 910 || got[3].RPS != 905 || got[4].Detail != "a line" || got[4].Cores != 1.5 {
		t.Errorf("lines %+v", got)
	}
	if strings.Contains(out.String(), "secret") {
		t.Errorf("a secret is written: %s", out.String())
	}
	s.lines = screenMost
	before := out.Len()
	if event(9000, Event{Phase: "trace"}); out.Len() != before {
		t.Error("there is no bound")
	}
}

// What others can read while the run goes on is whole lines, and nothing is kept open at its end.
func TestBroadcast(t *testing.T) {
	dir, err := store.Create(filepath.Join(t.TempDir(), "run"))
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	r := newRunner(Config{Progress: func(Event) { shown++ }})
	r.dir = dir
	done := r.broadcast()
	r.rec.tell(Event{Phase: "build"})
	text, err := os.ReadFile(filepath.Join(dir.Path(), store.LiveFile))
	if err != nil || !strings.HasSuffix(string(text), "\n") || !strings.Contains(string(text), `"phase":"build"`) || shown != 1 {
		t.Errorf("%q, %v, shown %d", text, err, shown)
	}
	done()
	r.rec.tell(Event{Phase: "after"})
	if shown != 2 {
		t.Error("the progress of the caller ended with it")
	}
	second := newRunner(Config{})
	second.dir = dir
	second.broadcast()() // the file is there already: a run goes on without it
}
