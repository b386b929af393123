package exectrace

import (
	"slices"
	"testing"
	"time"
)

func TestBetween(t *testing.T) {
	m := moments{length: 20, spent: map[moment]*timeline{}, sampled: map[int32][]int32{}}
	m.add(Lock, 1, 5, 15)      // inside one interval
	m.add(Lock, 1, 10, 30)     // over a border
	m.add(Lock, 2, 5, 105)     // over several
	m.add(Lock, 2, 5, 105)     // by two goroutines
	m.add(Running, 0, 20, 60)  // two whole ones
	m.add(Sleep, 3, 100, 1e15) // a time that no trace has
	m.add(Sleep, 4, 1e15, 2e15)
	m.add(Sleep, 4, -5, 5)
	m.sample(7, 25)
	m.sample(7, 45)
	m.sample(8, 59)
	m.sample(8, 1e15)
	tr := Trace{moments: m}
	for _, tt := range []struct {
		from, to float64 // ns
		want     []Spent
	}{
		{0, 20, []Spent{{Lock, 2, 30}, {Lock, 1, 20}}},
		{19, 21, []Spent{{Lock, 2, 70}, {Lock, 1, 30}, {Running, 7, 20}}},
		{20, 40, []Spent{{Lock, 2, 40}, {Running, 7, 20}, {Lock, 1, 10}}},
		{20, 60, []Spent{{Lock, 2, 80}, {Running, 7, 26}, {Running, 8, 13}, {Lock, 1, 10}}},
		{80, 120, []Spent{{Lock, 2, 50}, {Sleep, 3, 20}}},
		{40, 20, nil},
		{5e14, 6e14, nil},
	} {
		if got := tr.Between(tt.from/1e9, tt.to/1e9); !slices.Equal(got, tt.want) {
			t.Errorf("from %v to %v: %v, want %v", tt.from, tt.to, got, tt.want)
		}
	}
	unsampled := Trace{moments: moments{length: int64(time.Millisecond), spent: map[moment]*timeline{}}}
	unsampled.moments.add(Running, 0, 0, 1e6)
	if got := unsampled.Between(0, 0.001); !slices.Equal(got, []Spent{{Running, 0, 1e6}}) {
		t.Errorf("without a sample %v", got)
	}
	if got := (&Trace{}).Between(0, 1); got != nil {
		t.Errorf("without moments %v", got)
	}
}
