package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/fleet"
)

// TestAgentsLineUp: the columns stand below their heads, whether names are short or long.
func TestAgentsLineUp(t *testing.T) {
	for _, name := range []string{"a", "checkout-7d9f8b6c5-x2x9z-with-more"} {
		all := make([]fleet.Agent, 2)
		all[0].Name, all[0].Version.Version = "b", "v1.2.3-0.20261128092239-66e0bf1a0000"
		all[1].Name, all[1].Version.Version = name, "v1"
		var out bytes.Buffer
		if err := (&fleetFlags{}).list(streams{out: &out}, all); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(out.String(), "\n")
		for head, word := range map[string]string{"health": "ready", "offers": "load"} {
			at := strings.Index(lines[0], head)
			for _, l := range lines[1:3] {
				if strings.Index(l, word) != at {
					t.Errorf("%q is not below %q:\n%s", word, head, out.String())
				}
			}
		}
	}
}
