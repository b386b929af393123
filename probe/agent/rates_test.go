package agent

import (
	"runtime"
	"testing"
)

func TestBlockRateAfterLease(t *testing.T) {
	defer runtime.SetBlockProfileRate(0)
	tests := []struct {
		name      string
		state     state
		before    int // what the service set
		ask       Rates
		wantBlock int
		wantKnown bool
		wantAfter bool // waits are recorded after the lease
		wantNotes int
	}{
		{"off and not declared", state{judged: true}, 0, Rates{Block: 1}, 1, true, false, 0},
		{"declared", state{declared: 1}, 1, Rates{Block: 50}, 50, true, true, 0},
		{"declared off", state{declared: -1, judged: true, foreign: true}, 0, Rates{Block: 50}, 50, true, false, 0},
		{"known by the caller", state{}, 1, Rates{Block: 50, Previous: 1}, 50, true, true, 0},
		{"turned on by somebody else", state{}, 1, Rates{Block: 50_000_000}, 0, false, true, 1},
		{"nothing asked", state{declared: 1}, 1, Rates{}, 1, true, true, 0},
		{"nothing asked or declared", state{}, 1, Rates{}, 0, false, true, 0},
	}
	for i := range tests {
		tt := &tests[i]
		t.Run(tt.name, func(t *testing.T) {
			runtime.SetBlockProfileRate(tt.before)
			waits(1) // what a service that has its profile on has in it
			l, err := tt.state.acquire(tt.ask)
			if err != nil {
				t.Fatal(err)
			}
			if l.Block != tt.wantBlock || l.Known != tt.wantKnown || len(l.Notes) != tt.wantNotes {
				t.Errorf("lease: %d, %v, %q", l.Block, l.Known, l.Notes)
			}
			l.Release()
			l.Release()
			if on := blockIsOn(); on != tt.wantAfter {
				t.Errorf("recorded afterwards: %v, want %v", on, tt.wantAfter)
			}
			if tt.state.open.Load() != 0 {
				t.Errorf("open: %d", tt.state.open.Load())
			}
		})
	}
}

func TestMutexFractionChangedByTheService(t *testing.T) {
	defer runtime.SetMutexProfileFraction(0)
	l, err := Acquire(Rates{Mutex: 3})
	if err != nil {
		t.Fatal(err)
	}
	runtime.SetMutexProfileFraction(5)
	l.Release()
	if fraction() != 5 {
		t.Errorf("fraction %d, want the one that the service chose", fraction())
	}
}
