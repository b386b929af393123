package layout

import (
	"errors"
	"strings"
	"testing"
)

// TestOf: a release, and what was made of one, is in the tables; what is newer, in development or for another processor is not.
func TestOf(t *testing.T) {
	for version, known := range map[string]bool{
		"go1.22": true, "go1.26.8": true, "go1.27.1": true, "go1.26rc1": true, "go1.26.8 X:boringcrypto": true, "go1.25.3-1": true,
		"go1.26.8-X:nogreenteagc": true, "go1.26.8-X:staticlockranking": false, "go1.25.3 X:nospinbitmutex,staticlockranking": false,
		"go1.26.8+auto": true, "go1.21.13": false, "go1.28.0": false, "go1.27-devel_a1b2c3": false, "devel go1.27-a1b2c3 Mon Jan 5": false,
		"go1.26-20260101-RC00": false, "go1.26.8x": false, "": false,
	} {
		for _, arch := range []string{"amd64", "arm64"} {
			l, err := Of(version, arch)
			if known != (err == nil) || known && l.GSize == 0 {
				t.Errorf("%q on %s: %d bytes of a goroutine, %v", version, arch, l.GSize, err)
			}
			if !known && (!errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "without -w") || !strings.Contains(err.Error(), "go1.22 to go1.27")) {
				t.Errorf("%q on %s: %v", version, arch, err)
			}
		}
	}
	if _, err := Of("go1.26.8", "riscv64"); !errors.Is(err, ErrUnknown) {
		t.Errorf("another processor: %v", err)
	}
}
