package profile

import (
	"bytes"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

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
