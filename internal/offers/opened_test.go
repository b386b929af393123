package offers

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestOpened: a package that opens a file for each record takes a writer as well; not where the file stays open, or is not what costs.
func TestOpened(t *testing.T) {
	const (
		hook = `
type Hook struct{ path string }

// NewHook makes one. Output is a path or an io.Writer.
func NewHook(output any) *Hook { return nil }

func (h *Hook) SetDefaultWriter(w io.Writer) {}

func (h *Hook) SetFormatter(f Formatter) {}

func (h *Hook) dump(w io.Writer) {}
`
		each = "\nfunc (h *Hook) Fire(line []byte) {\n\tf, _ := os.OpenFile(h.path, 1, 0o600)\n\tdefer f.Close()\n\tf.Write(line)\n}\n"
		once = "\nfunc (h *Hook) Fire(line []byte) {\n\tif h.f == nil {\n\t\th.f, _ = os.OpenFile(h.path, 1, 0o600)\n\t}\n\th.f.Write(line)\n}\n"
	)
	for what, c := range map[string]struct{ text, stack, want string }{
		"for each record":      {hook + each, "os.OpenFile .(*Hook).Fire main.log", "Hook.SetDefaultWriter NewHook"},
		"it stays open":        {hook + once, "os.OpenFile .(*Hook).Fire main.log", ""},
		"it is not what costs": {hook + each, "encoding/json.Marshal .(*Hook).Fire main.log", ""},
		"it takes no writer":   {strings.NewReplacer("io.Writer", "string").Replace(hook) + each, "os.OpenFile .(*Hook).Fire main.log", ""},
	} {
		if got := told(t, unpark.OfferWriter, unpark.ClassSyscall, c.text, c.stack); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
	waits, runs := stack("sync.(*Mutex).Lock .(*Hook).Log main.log"), stack(".(*Hook).Fire os.OpenFile")
	f := unpark.Finding{Class: unpark.ClassLock, Path: waits, Culprit: &runs[0], Into: []unpark.Part{{Site: runs[1], Share: 0.3}}}
	if got := names(of(t, hook+each).For([]unpark.Finding{f}), unpark.OfferWriter); got == "" {
		t.Error("what runs while a lock is held is not looked at")
	}
}
