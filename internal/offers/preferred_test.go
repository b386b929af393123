package offers

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestPreferred: the call that documentation prefers for most uses takes the place of another; not one that it prefers in a special case,
// nor the call itself.
func TestPreferred(t *testing.T) {
	const logger = "type Logger struct{}\n\n// Log keeps an entry for later.\nfunc (l *Logger) Log(e int) {}\n\nfunc (l *Logger) send(e int) {}\n\n"
	for doc, want := range map[string]string{
		"Prefer Log for most uses.":                     "Logger.Log",
		"Prefer to use [Logger.Log] unless it must be.": "Logger.Log",
		"Prefer Log for what need not be kept.":         "",
		"Prefer LogSync for most uses.":                 "",
	} {
		text := logger + "// LogSync logs the entry at once. " + doc + "\nfunc (l *Logger) LogSync(ctx string, e int) error { l.send(e); return nil }"
		if got := told(t, unpark.OfferInstead, unpark.ClassDownstream, text, ".(*Logger).send .(*Logger).LogSync main.main"); got != want {
			t.Errorf("%s: %q, want %q", doc, got, want)
		}
	}
}
