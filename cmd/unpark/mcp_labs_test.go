//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/rota"
)

// TestAgentLabs: the loop on the labs, one a day: find, the lab's fix, prove.
func TestAgentLabs(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("this is an archive of the sources: a lab is cloned")
	}
	for i, lab := range []struct {
		name, urls, file, old, fix string
		load, verdict              string
	}{
		{"lookup", "[/lookup/1, /lookup/2, /lookup/3]", "main.go", `"fixed", false`, `"fixed", true`, "connections: 16", "^PROVEN"},
		// Nearly all of what requests block on is one lock, and it is not the limit: no proof is right as well.
		{"catalog", "[/read]", "main.go", `"pick", "faker"`, `"pick", "index"`, "connections: 50", "^PROVEN|^NOT PROVEN"},
		{"broker", "[/v1/cycle]", "main.go", `"commit", store.Mutex`, `"commit", store.Coalesce`, "connections: 32", "^PROVEN"},
		{"place", "[/place.png]", "main.go", `"stage", "db"`, `"stage", "image"`, "connections: 16", "^PROVEN"},
	} {
		if !rota.Long(i, 4) {
			continue
		}
		t.Run(lab.name, func(t *testing.T) {
			t.Parallel()
			clone := filepath.Join(t.TempDir(), "unpark")
			if out, err := exec.Command("git", "-c", "safe.directory=*", "clone", "--quiet", "--no-hardlinks", root, clone).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			dir := filepath.Join(clone, "labs", lab.name)
			committed(t, clone, map[string]string{filepath.Join("labs", lab.name, "unpark.yaml"): fmt.Sprintf(
				"package: .\nargs: [-addr, 127.0.0.1:0]\nurls: %s\n%s\ntest: [go, test, -short, .]\n", lab.urls, lab.load)})
			a := newCoder(t, dir)
			id, verdict := a.measure("find", nil, "LIMIT|VOID")
			if strings.Contains(verdict, "drill with run") { // there is a finding, and a forecast of it or why there is none
				a.want("predict", map[string]any{"run": id, "finding": 1}, `(?s)^IF .* were gone\n.*(fixing|unknown) `)
				a.want("predict", map[string]any{"run": id, "finding": 99}, "!")
			}
			edited(t, dir, lab.file, lab.old, lab.fix)
			a.measure("prove", map[string]any{"before": "HEAD"}, lab.verdict+"|^NOT PROVEN +no round counts")
			if err := a.session.Close(); err != nil {
				t.Error(err)
			}
			a.gone()
		})
	}
}
