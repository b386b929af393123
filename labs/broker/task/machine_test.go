package task

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// records is a Writer that keeps what it is given.
type records map[string]string

func (r records) Set(key, value []byte) { r[string(key)] = string(value) }
func (r records) Delete(key []byte)     { delete(r, string(key)) }

// load makes a machine of records.
func load(t testing.TB, keep int, r records) *Machine {
	t.Helper()
	m := NewMachine(keep)
	for _, k := range slices.Sorted(maps.Keys(r)) {
		if err := m.Load([]byte(k), []byte(r[k])); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

const second = int64(time.Second)

func TestLifeOfATask(t *testing.T) {
	m, w := NewMachine(8), records{}
	at := func(now int64, c Command) Result { c.Now = now; return m.Apply(c, 0, w) }
	if m.Waiting(second) {
		t.Error("an empty machine has a task waiting")
	}
	made := at(1, Command{Op: Create, Key: "k", Payload: []byte("p")})
	again := at(2, Command{Op: Create, Key: "k", Payload: []byte("other")})
	if made.Again || !again.Again || again.Task.ID != made.Task.ID || string(again.Task.Payload) != "p" {
		t.Fatalf("created %+v, then %+v", made, again)
	}
	if !m.Waiting(2) {
		t.Error("a created task is not waiting")
	}
	first := at(3, Command{Op: Claim, Worker: "a", Lease: time.Second})
	if !first.Found || first.Task.Attempt != 1 || string(first.Task.Payload) != "p" {
		t.Fatalf("claimed %+v", first)
	}
	if r := at(4, Command{Op: Claim, Worker: "b", Lease: time.Second}); r.Found || m.Waiting(4) {
		t.Fatalf("a leased task was delivered: %+v", r)
	}
	// The lease ends; whoever has the newest may complete, and only they.
	if !m.Waiting(2 * second) {
		t.Error("a task whose lease has ended is not waiting")
	}
	second := at(2*second, Command{Op: Claim, Worker: "b", Lease: time.Second})
	if !second.Found || second.Task.Attempt != 2 {
		t.Fatalf("claimed %+v", second)
	}
	if r := at(2, Command{Op: Complete, ID: made.Task.ID, Attempt: 1}); !errors.Is(r.Err, ErrLeaseLost) {
		t.Errorf("the lost lease completed: %+v", r)
	}
	for i, want := range []bool{false, true} {
		if r := at(3, Command{Op: Complete, ID: made.Task.ID, Attempt: 2}); r.Err != nil || r.Again != want {
			t.Errorf("complete %d: %+v", i, r)
		}
	}
	// The key outlives the task.
	if r := at(4, Command{Op: Create, Key: "k"}); !r.Again || r.Task.State != Done {
		t.Errorf("the key was forgotten: %+v", r)
	}
}

func TestCompleteAfterTheLeaseEnded(t *testing.T) {
	m, w := NewMachine(8), records{}
	for range 3 {
		m.Apply(Command{Op: Create}, 0, w)
	}
	a := m.Apply(Command{Op: Claim, Lease: 1, Now: 1}, 0, w).Task
	m.Apply(Command{Op: Claim, Lease: 1, Now: 1}, 0, w)
	// This claim makes both ready again and delivers the older one anew.
	if c := m.Apply(Command{Op: Claim, Lease: 100, Now: 10}, 0, w).Task; c.ID != a.ID {
		t.Fatalf("task %d was delivered before task %d", c.ID, a.ID)
	}
	if r := m.Apply(Command{Op: Complete, ID: 2, Attempt: 1, Now: 11}, 0, w); r.Err != nil {
		t.Fatal(r.Err)
	}
	if r := m.Apply(Command{Op: Claim, Lease: 1, Now: 10}, 0, w).Task; r.ID != 3 {
		t.Errorf("task %d was delivered, want 3", r.ID)
	}
}

func TestRefused(t *testing.T) {
	m, w := NewMachine(8), records{}
	for _, tt := range []struct {
		c    Command
		want error
	}{
		{Command{Op: Complete, ID: 7, Attempt: 1}, ErrUnknown},
		{Command{}, ErrInvalid},
		{Command{Op: 9}, ErrInvalid},
	} {
		if r := m.Apply(tt.c, 0, w); !errors.Is(r.Err, tt.want) {
			t.Errorf("%+v: %v", tt.c, r.Err)
		}
	}
	if len(w) != 0 {
		t.Errorf("what was refused was written: %q", w)
	}
	m.Apply(Command{Op: Create}, 0, w)
	if r := m.Apply(Command{Op: Complete, ID: 1}, 0, w); !errors.Is(r.Err, ErrLeaseLost) {
		t.Errorf("a task that nobody claimed was completed: %+v", r)
	}
}

func TestForgets(t *testing.T) {
	m, w := NewMachine(3), records{}
	for i := range 10 {
		m.Apply(Command{Op: Create, Key: fmt.Sprint(i)}, 0, w)
		r := m.Apply(Command{Op: Claim, Lease: time.Minute}, 0, w)
		m.Apply(Command{Op: Complete, ID: r.Task.ID, Attempt: r.Task.Attempt}, 0, w)
	}
	if len(m.tasks) != 3 || len(m.keys) != 3 || len(w) != 4 || len(m.lease) > 0 {
		t.Errorf("%d tasks, %d keys, %d records, %d leases", len(m.tasks), len(m.keys), len(w), len(m.lease))
	}
}

// A replica that was loaded from the records goes on as the one that never
// stopped, whatever the clocks of the proposers.
func TestReplicasAgree(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		w, other := records{}, records{}
		live, replica := NewMachine(5), NewMachine(5)
		for i := range uint64(400) {
			c := Command{
				Op: Op(1 + r.IntN(3)), Key: fmt.Sprint(r.IntN(30)), Lease: time.Duration(1 + r.IntN(20)),
				ID: 1 + r.Uint64N(live.meta.next), Attempt: r.Uint64N(3), Now: int64(i) - int64(r.IntN(15)),
			}
			a, b := live.Apply(c, i+1, w), replica.Apply(c, i+1, other)
			if a.Task.ID != b.Task.ID || a.Task.Attempt != b.Task.Attempt || a.Found != b.Found || a.Again != b.Again || a.Err != b.Err { //nolint:errorlint // the same error, not one like it
				t.Fatalf("seed %d, command %d %+v: %+v and %+v", seed, i, c, a, b)
			}
			if r.IntN(5) == 0 {
				replica = load(t, 5, other)
			}
		}
		if !maps.Equal(w, other) || replica.Applied() != 400 {
			t.Fatalf("seed %d: records differ, applied %d", seed, replica.Applied())
		}
	}
}

func FuzzLoad(f *testing.F) {
	w := records{}
	m := NewMachine(8)
	m.Apply(Command{Op: Create, Key: "k", Payload: []byte("p")}, 1, w)
	m.Apply(Command{Op: Claim, Worker: "w", Lease: 5, Now: 9}, 2, w)
	for k, v := range w {
		f.Add([]byte(k), []byte(v))
	}
	f.Fuzz(func(_ *testing.T, key, value []byte) {
		m := NewMachine(8)
		if m.Load(key, value) == nil {
			m.Apply(Command{Op: Claim, Now: 1}, 0, records{})
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add(Encode(nil, []Command{{Op: Create, Key: "k", Payload: []byte("p")}, {Op: Complete, ID: 7, Attempt: 1, Now: -1}}))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := Decode(b)
		if err != nil {
			return
		}
		if again, err := Decode(Encode(nil, c)); err != nil || len(again) != len(c) {
			t.Fatalf("%d commands became %d: %v", len(c), len(again), err)
		}
	})
}
