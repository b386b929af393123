package verdict

import (
	"path/filepath"
	"testing"

	"github.com/unpark-go/unpark/internal/judge/judgetest"
)

// TestNoContradictions holds every recorded verdict against what no document may say,
// whatever was measured.
func TestNoContradictions(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(recordings, "*.zip"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, file := range files {
		for _, what := range judgetest.Contradictions(reached(t, file)) {
			t.Errorf("%s: %s", filepath.Base(file), what)
		}
	}
}
