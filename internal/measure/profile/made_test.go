package profile

import (
	"bytes"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// TestDrawn: what a sample was drawn from outlives reading and writing; words of others are no such thing.
func TestDrawn(t *testing.T) {
	m := Make("goroutine", "count", 1, "goroutine", "count")
	m.Drawn(4000, 1_000_000, 3)
	b, err := m.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		p, err := Decode(bytes.NewReader(b), unpark.KindGoroutine, "made")
		if err != nil {
			t.Fatal(err)
		}
		if n, of, moved, ok := p.Drawn(); n != 4000 || of != 1_000_000 || moved != 3 || !ok {
			t.Errorf("drawn %d of %d, %d moved, %v", n, of, moved, ok)
		}
		var again bytes.Buffer
		if err := p.Write(&again); err != nil {
			t.Fatal(err)
		}
		b = again.Bytes()
	}
	for _, comment := range []string{"", "unpark drew", drawn + "x of y", drawn + "5 of 3, 0 moved", drawn + "-1 of 3, 0 moved", "hello"} {
		if _, _, _, ok := (&Profile{drawn: comment}).Drawn(); ok {
			t.Errorf("%q was taken for one", comment)
		}
	}
}

// TestMade: what is put together is read like what an endpoint gives.
func TestMade(t *testing.T) {
	lock, take, serve := unpark.Site{Function: "sync.(*Mutex).Lock", File: "mutex.go", Line: 46}, unpark.Site{Function: "app.take", File: "a.go", Line: 7}, unpark.Site{Function: "app.serve", File: "a.go", Line: 3}
	m := Make("contentions", "count", 1, "contentions", "count", "delay", "nanoseconds")
	m.Lasted(time.Now(), 2*time.Second)
	m.Add([]unpark.Site{lock, take, serve}, 3, 5e9)
	m.Add([]unpark.Site{lock, serve}, 1, 1e9)
	m.Add(nil, 9, 9e9)
	b, err := m.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Decode(bytes.NewReader(b), unpark.KindBlock, "made")
	if err != nil {
		t.Fatal(err)
	}
	var seconds, count float64
	for _, s := range p.Samples() {
		seconds, count = seconds+s.Value, count+s.Count
		if s.Stack[0] != lock || s.Stack[len(s.Stack)-1] != serve {
			t.Errorf("stack %v", s.Stack)
		}
	}
	if len(p.Samples()) != 2 || seconds != 6 || count != 4 {
		t.Errorf("%d stacks, %v s, %v times", len(p.Samples()), seconds, count)
	}
}
