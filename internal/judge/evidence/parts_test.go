package evidence

import "testing"

// TestManyTraces: the traces of one machine are read whole, of more each has its share, and a snapshot is read whole in any case.
func TestManyTraces(t *testing.T) {
	for _, c := range []struct {
		fair, snapshots int
		want            int64
	}{{1, 0, 0}, {8, 0, 0}, {8, 20, 0}, {9, 0, 12_000_000 / 9}, {16, 3, 750_000}} {
		all := make([]Trace, c.fair, c.fair+c.snapshots)
		for range c.snapshots {
			all = append(all, Trace{Snapshot: true})
		}
		share := eachRead(all)
		if got := all[0].most(share); got != c.want {
			t.Errorf("%d traces and %d snapshots: %d events of each, want %d", c.fair, c.snapshots, got, c.want)
		}
		if c.snapshots > 0 && all[c.fair].most(share) != 0 {
			t.Errorf("%d traces and %d snapshots: those are not read whole", c.fair, c.snapshots)
		}
	}
}
