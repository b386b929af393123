package exectrace_test

import (
	"bytes"
	"reflect"
	"runtime/trace"
	"sync"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

// TestPart: a trace that is read to a part is one that ends earlier, and says so; to more than there is, it is the whole.
func TestPart(t *testing.T) {
	var out bytes.Buffer
	if err := trace.Start(&out); err != nil {
		t.Skip("the test itself is traced: ", err)
	}
	var wg sync.WaitGroup
	for range 4 {
		c := make(chan int)
		wg.Go(func() {
			for i := range 3000 {
				c <- i
			}
			close(c)
		})
		wg.Go(func() {
			for range c {
			}
		})
	}
	wg.Wait()
	trace.Stop()
	read := func(events int64) *exectrace.Trace {
		t.Helper()
		got, err := exectrace.Read(bytes.NewReader(out.Bytes()), exectrace.Options{Events: events, Meaning: func(exectrace.Event, []unpark.Site) exectrace.Meaning {
			return exectrace.Meaning{Class: unpark.WaitUnknown, Caller: -1}
		}})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	whole := read(0)
	if whole.Part || whole.Events < 5000 {
		t.Fatalf("%d events, a part: %v", whole.Events, whole.Part)
	}
	most := whole.Events / 2
	part := read(most)
	if !part.Part || part.Broken != nil || part.Events < most || part.Events > most+1024 || part.Seconds >= whole.Seconds || part.Bytes != whole.Bytes {
		t.Errorf("half of %d events in %g s: %d in %g s, a part: %v, broken: %v", whole.Events, whole.Seconds, part.Events, part.Seconds, part.Part, part.Broken)
	}
	if more := read(whole.Events + 1); !reflect.DeepEqual(more, whole) {
		t.Errorf("more events than there are: %+v\nwant %+v", more, whole)
	}
	if all := read(whole.Events); all.Part {
		t.Error("exactly all events are a part")
	}
}
