package window

import (
	"bytes"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// TestSnapshotsAreBounded: where one goroutine profile takes long there are few, and one
// that merely waited for a processor among others changes nothing.
func TestSnapshotsAreBounded(t *testing.T) {
	const length = 10 * time.Second
	for _, c := range []struct {
		name string
		took func(i int) time.Duration
		want int
	}{
		{"small", func(int) time.Duration { return time.Millisecond }, snapshotsWanted},
		{"100,000 goroutines", func(int) time.Duration { return 300 * time.Millisecond }, snapshotsLeast},
		{"as many as its time allows", func(int) time.Duration { return 25 * time.Millisecond }, 8},
		{"one waited, and the next", func(i int) time.Duration { return []time.Duration{time.Millisecond, 400 * time.Millisecond}[i%2] }, snapshotsWanted},
	} {
		p := cadence{window: length, wanted: snapshotsWanted}
		n := 0
		for at := length / snapshotsWanted / 2; at < length; n++ {
			at += p.rest(c.took(n))
		}
		if n != c.want {
			t.Errorf("%s: %d snapshots, want %d", c.name, n, c.want)
		}
	}
}

// TestSnapshotsFromOutside: more are taken where every process is read from outside.
func TestSnapshotsFromOutside(t *testing.T) {
	read, asked := &member{endpoint: &Endpoint{Info: &Info{Attached: true}}}, &member{endpoint: &Endpoint{}}
	if n := (members{read, read}).snapshots(); n != snapshotsOutside {
		t.Errorf("%d of processes that are read from outside", n)
	}
	if n := (members{read, asked}).snapshots(); n != snapshotsWanted {
		t.Errorf("%d where one is asked", n)
	}
}

// TestSnapshotsAreTold: how many, how often, and of how many goroutines when not all were read.
func TestSnapshotsAreTold(t *testing.T) {
	taken := func(drawn, of int) *profile.Profile {
		m := profile.Make("goroutine", "count", 1, "goroutine", "count")
		m.Add([]unpark.Site{{Function: "main.park"}}, int64(of))
		if drawn < of {
			m.Drawn(drawn, of, 2)
		}
		b, err := m.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		p, err := profile.Decode(bytes.NewReader(b), unpark.KindGoroutine, "made")
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	begin := time.Unix(1, 0)
	m := &member{endpoint: &Endpoint{PID: 7}}
	all := &member{endpoint: &Endpoint{PID: 8}}
	for i, of := range []int{1000, 2000, 3000} {
		at := begin.Add(time.Duration(i) * 500 * time.Millisecond)
		m.snapshots = append(m.snapshots, raw{start: at, read: taken(100, of)}, raw{start: at}) // the second could not be read
		all.snapshots = append(all.snapshots, raw{start: at, read: taken(of, of)})
	}
	ps := []unpark.Process{{PID: 7}, {PID: 8}, {PID: 9}}
	(&session{members: members{m, all, {endpoint: &Endpoint{PID: 9}}}}).tellSnapshots(ps)
	num := unpark.Num
	if got, want := *ps[0].Snapshots, (unpark.Snapshots{Count: 3, Every: num(0.5), Drawn: num(100), Of: num(2000), Moved: num(2)}); got != want {
		t.Errorf("a sample: %+v, want %+v", got, want)
	}
	if got, want := *ps[1].Snapshots, (unpark.Snapshots{Count: 3, Every: num(0.5)}); got != want {
		t.Errorf("all of them: %+v, want %+v", got, want)
	}
	if ps[2].Snapshots != nil {
		t.Errorf("none were taken: %+v", ps[2].Snapshots)
	}
}
