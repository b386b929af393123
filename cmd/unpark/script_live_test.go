//go:build live

package main

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestLiveVerdict(t *testing.T)     { liveScript(t, "verdict") }
func TestLiveAB(t *testing.T)          { liveScript(t, "ab") }
func TestLiveCalibration(t *testing.T) { liveScript(t, "calibration") }
func TestLiveCapture(t *testing.T)     { liveScript(t, "capture") }
func TestLiveExperiment(t *testing.T)  { liveScript(t, "experiment") }
func TestLivePackage(t *testing.T)     { liveScript(t, "pkg") }
func TestLiveSelfcheck(t *testing.T)   { liveScript(t, "selfcheck") }
func TestLiveSLO(t *testing.T)         { liveScript(t, "slo") }

// liveScript runs one script of testdata/live.
func liveScript(t *testing.T, name string) {
	p := scripts()
	p.Files = []string{filepath.Join("testdata", "live", name+".txtar")}
	testscript.Run(t, p)
}
