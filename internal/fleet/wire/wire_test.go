package wire

import (
	"bytes"
	"encoding/json"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/requests"
)

// TestTaskThereAndBack: a plan with everything that documents leave out comes whole out of
// its pieces, and renders the same requests.
func TestTaskThereAndBack(t *testing.T) {
	lines := strings.Repeat("alpha\nbeta gamma\n", 60_000)
	values, err := requests.ReadValues([]string{"user=users.txt:seq"}, func(string) ([]byte, error) { return []byte(lines), nil })
	if err != nil {
		t.Fatal(err)
	}
	target, err := requests.Compile([]byte("/{{user}}/{{counter}}?{{uuid}}"), values.Escaped())
	if err != nil {
		t.Fatal(err)
	}
	plan := unpark.Plan{
		Mode: unpark.Replay, Arrivals: []float64{0, 0.5, 2}, Seed: 9, Share: unpark.Share{Index: 1, Of: 3},
		Hosts:    map[string][]netip.Addr{"x": {netip.MustParseAddr("127.0.0.1")}},
		Requests: []unpark.Request{{URL: "http://x/", Header: map[string][]string{"Authorization": {"Bearer s"}}, Body: []byte{0, 255}, Target: target, Weight: 2}},
	}
	p, err := NewPlan(plan)
	if err != nil {
		t.Fatal(err)
	}
	pieces, err := Pieces(Task{Run: "r", Plan: p})
	if err != nil || len(pieces) < 2 {
		t.Fatal(len(pieces), err)
	}
	var j Join
	var task *Task
	for _, piece := range pieces {
		text, err := json.Marshal(piece)
		if err != nil || len(text) > 1<<20 {
			t.Fatalf("a piece of %d bytes: %v", len(text), err)
		}
		if task, err = j.Add(piece); err != nil {
			t.Fatal(err)
		}
	}
	got, err := task.Plan.Whole()
	if err != nil {
		t.Fatal(err)
	}
	for k := range int64(100) {
		if a, b := got.Requests[0].Target.Append(nil, 9, k), target.Append(nil, 9, k); !bytes.Equal(a, b) {
			t.Fatalf("request %d is %q, want %q", k, a, b)
		}
	}
	got.Requests[0].Target, plan.Requests[0].Target = nil, nil
	if !reflect.DeepEqual(got, plan) {
		t.Errorf("came as %+v\nwant %+v", got, plan)
	}
	if _, err := j.Add(pieces[1]); err == nil {
		t.Error("a piece without the one before it")
	}
}

func TestValid(t *testing.T) {
	for name, want := range map[string]bool{"a": true, "Host-1_x": true, "": false, "a.b": false, "*": false, ">": false, "a b": false, strings.Repeat("a", 65): false} {
		if Valid(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// FuzzTask: a task from elsewhere is refused or can be put together; what its templates
// render does not panic.
func FuzzTask(f *testing.F) {
	f.Add([]byte(`{"run":"r","plan":{"plan":{"mode":"closed","requests":[{"url":"http://x/"}]},"requests":[{"target":[{"literal":"Lw==","fill":4,"text":"YQ==","ends":[1]}]}]}}`))
	f.Add([]byte(`{"plan":{"plan":{"requests":[{"url":"u"}]},"requests":[{"payload":[{"fill":4,"ends":[9]}]}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		task, err := new(Join).Add(Piece{Last: true, Text: text})
		if err != nil || task.Plan == nil {
			return
		}
		plan, err := task.Plan.Whole()
		if err != nil {
			return
		}
		for _, r := range plan.Requests {
			for _, tpl := range []unpark.Template{r.Target, r.Payload} {
				if tpl != nil {
					tpl.Append(nil, 1, 7)
				}
			}
		}
	})
}
