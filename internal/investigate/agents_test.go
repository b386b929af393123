package investigate

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet"
)

// TestMissing: a window by agents of which nothing was captured ends the run with the reason, also where the load is sound; one that is
// captured here as well has what is here.
func TestMissing(t *testing.T) {
	remote := Config{Agents: &fleet.Team{Capture: map[string][]string{"a": {"http://127.0.0.1:6060"}}}}
	here := remote
	here.Pprof = []string{"http://127.0.0.1:6061"}
	load := &unpark.Load{Requests: 9}
	profiles := []unpark.ProfileFile{{Kind: unpark.KindCPU}}
	said := fleet.Result{
		Warnings: []unpark.Notice{{Message: "1 part is void: a: the window began late"}},
		Void:     []unpark.Notice{{Message: "b: it was killed"}},
	}
	for name, c := range map[string]struct {
		config Config
		mode   unpark.Mode
		window unpark.Window
		want   string
	}{
		"all there":            {remote, unpark.Closed, unpark.Window{Load: load, Profiles: profiles}, ""},
		"nothing captured":     {remote, unpark.Closed, unpark.Window{Load: load}, "captured anything: 1 part is void: a: the window began late"},
		"nor without load":     {remote, unpark.NoLoad, unpark.Window{}, "captured anything: 1 part is void: a: the window began late"},
		"captured without":     {remote, unpark.NoLoad, unpark.Window{Profiles: profiles}, ""},
		"here as well":         {here, unpark.Closed, unpark.Window{Load: load}, ""},
		"no load":              {remote, unpark.Closed, unpark.Window{Profiles: profiles}, "can be trusted: b: it was killed"},
		"no load, no profiles": {remote, unpark.Closed, unpark.Window{}, "can be trusted: b: it was killed"},
	} {
		err := c.config.missing(unpark.Plan{Mode: c.mode}, c.window, said)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
