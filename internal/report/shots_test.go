package report

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"testing"
)

// TestScreenshots writes pictures of the page into the directory that
// UNPARK_SHOTS names, for a person to look at.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("UNPARK_SHOTS")
	if dir == "" {
		t.Skip("UNPARK_SHOTS names no directory")
	}
	b := newBrowser(t)
	for _, shot := range []struct {
		name, run, hash, scheme string
		width, height           int
		full                    bool
		at                      string // scrolled to, when not full
	}{
		{"wide-light", "lock", "", "light", 1280, 900, false, ""},
		{"wide-light-full", "lock", "#kind=block&q=cache", "light", 1280, 900, true, ""},
		{"wide-dark-full", "lock", "#kind=mutex", "dark", 1280, 900, true, ""},
		{"narrow-light-full", "lock", "", "light", 420, 900, true, ""},
		{"narrow-dark", "lock", "", "dark", 420, 900, false, ""},
		{"void", "void", "", "light", 1280, 900, true, ""},
		{"prefork", "prefork", "", "light", 1280, 900, true, ""},
		{"hostile", "hostile", "#kind=cpu", "light", 1280, 900, false, ""},
		{"hostile-narrow", "hostile", "#kind=cpu", "light", 420, 900, false, ""},
		{"abstain", "abstain", "", "dark", 1280, 900, false, ""},
		{"wide-dark-flame", "lock", "#kind=mutex&zoom=4&q=json", "dark", 1280, 900, false, "#flame"},
		{"wide-light-charts", "lock", "", "light", 1280, 900, false, "#latency"},
		{"narrow-light-flame", "lock", "", "light", 420, 900, false, "#flame"},
		{"narrow-dark-charts", "lock", "", "dark", 420, 900, false, "#latency"},
		{"narrow-light-card", "prefork", "", "light", 420, 900, false, ".costs"},
		{"tail-light", "tail", "", "light", 1280, 1400, false, "#tail"},
		{"tail-dark", "tail", "", "dark", 1280, 1400, false, "#tail"},
		{"tail-middle", "tail", "", "light", 900, 1400, false, "#tail"},
		{"tail-narrow", "tail", "", "light", 400, 1900, false, "#tail"},
		{"tail-gc", "tail-gc", "", "light", 1280, 900, false, "#tail"},
		{"tail-few", "tail-few", "", "dark", 1280, 900, false, "#tail"},
		{"tail-hostile", "hostile", "", "light", 1280, 1400, false, "#tail"},
		{"tail-hostile-narrow", "hostile", "", "light", 400, 1900, false, "#tail"},
		{"costs-light", "cost", "", "light", 1280, 900, false, "#costs"},
		{"costs-only-dark", "costs", "", "dark", 1280, 900, false, ""},
		{"costs-narrow", "cost", "", "light", 420, 700, false, "#costs"},
		{"costs-hostile", "hostile", "", "light", 1280, 900, false, "#costs"},
		{"costs-hostile-narrow", "hostile", "", "light", 420, 900, false, "#costs"},
		{"capture", "capture", "#kind=cpu&hide=", "light", 1280, 900, true, ""},
	} {
		b.Must(t, "Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": shot.scheme}}}, nil)
		b.view(t, examples()[shot.run], shot.hash, shot.width, shot.height)
		var picture struct {
			Data string `json:"data"`
		}
		if shot.at != "" {
			b.Eval(t, `document.querySelector('`+shot.at+`').scrollIntoView({block: 'start', behavior: 'instant'})`)
		}
		if shot.full {
			h := b.Eval(t, `document.documentElement.scrollHeight`).(float64)
			b.Must(t, "Emulation.setDeviceMetricsOverride", map[string]any{"width": shot.width, "height": int(h), "deviceScaleFactor": 1, "mobile": false}, nil)
			b.Eval(t, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`)
		}
		b.Must(t, "Page.captureScreenshot", map[string]any{"format": "png"}, &picture)
		png, err := base64.StdEncoding.DecodeString(picture.Data)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, shot.name+".png"), png, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
