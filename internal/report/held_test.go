package report

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestHeldMostInOneWord: what is told in the same words is told once; the same word at two places is two things.
func TestHeldMostInOneWord(t *testing.T) {
	at := func(function string) unpark.Site { return unpark.Site{Function: function, File: "main.go", Line: 1} }
	got := heldMost([]unpark.Held{{Class: unpark.WaitLock, Site: at("main.a"), Share: 0.4}, {Class: unpark.WaitScheduler, Share: 0.35}, {Class: unpark.WaitGC, Share: 0.15}}, 2)
	if len(got) != 2 || got[0].Class != unpark.WaitScheduler || got[0].Share != 0.5 || got[1].Site.Function != "main.a" {
		t.Errorf("ready to run, and collected for meanwhile: %+v", got)
	}
	got = heldMost([]unpark.Held{{Class: unpark.WaitLock, Site: at("main.a"), Share: 0.6}, {Class: unpark.WaitLock, Site: at("main.b"), Share: 0.4}}, 2)
	if len(got) != 2 || got[0].Share != 0.6 {
		t.Errorf("two locks: %+v", got)
	}
}
