package report

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/chromium"
)

// browser shows pages of this package.
type browser struct{ *chromium.Browser }

func newBrowser(t *testing.T) *browser {
	t.Helper()
	return &browser{chromium.Start(t)}
}

// view writes the page of a run and opens it in a window of a size.
func (b *browser) view(t *testing.T, r unpark.Run, hash string, width, height int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(HTML(f, r), f.Close()); err != nil {
		t.Fatal(err)
	}
	b.Visit(t, "file://"+file+hash, width, height)
	if len(r.Flames) > 0 {
		b.Until(t, `document.getElementById('flame')?.dataset.ms !== undefined && document.getElementById('flame').dataset.drawn > 0`)
	}
}
