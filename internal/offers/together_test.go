package offers

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestTogether: what a call begins and ends for one thing may do several; not where users cannot begin it, it ends nothing, or does another thing.
func TestTogether(t *testing.T) {
	const tree = `
type Tree struct{}

type Txn struct{}

// Txn begins one.
func (t *Tree) Txn() *Txn { return nil }

func (t *Tree) Insert(k string) *Tree {
	txn := t.Txn()
	txn.Insert(k)
	return txn.Commit()
}

func (t *Txn) Insert(k string) { t.copy() }

func (t *Txn) Commit() *Tree { return nil }

func (t *Txn) copy() {}
`
	const path = ".(*Txn).copy .(*Txn).Insert .(*Tree).Insert main.main"
	for what, c := range map[string]struct{ text, path, want string }{
		"one for each call":       {tree, path, "Tree.Txn"},
		"users begin none":        {strings.ReplaceAll(tree, "Txn()", "txn()"), path, ""},
		"it ends nothing":         {strings.ReplaceAll(tree, "Commit", "Tree"), path, ""},
		"it does another thing":   {strings.Replace(tree, "txn.Insert(k)", "txn.Put(k)", 1), path, ""},
		"the service begins them": {tree, ".(*Txn).copy .(*Txn).Insert main.main", ""},
	} {
		if got := told(t, unpark.OfferTogether, unpark.ClassAlloc, c.text, c.path); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

// TestUnderLocks: what runs under the user's own lock is looked at as what is called, also where no waiter's stack has it.
func TestUnderLocks(t *testing.T) {
	const log = `
// Options are of a log.
type Options struct {
	// NoSync leaves syncs to the system.
	NoSync bool
}

type Log struct{ opts Options; f *os.File }

func Open(o Options) *Log { return nil }

func (l *Log) Write(b []byte) {
	if !l.opts.NoSync {
		l.f.Sync()
	}
}

// WriteBatch writes several.
func (l *Log) WriteBatch(b [][]byte) {}
`
	for function, want := range map[string]string{".(*Log).Write": "Log.WriteBatch|Options.NoSync", "main.(*journal).write": "|"} {
		culprit := stack(function)[0]
		f := unpark.Finding{Class: unpark.ClassLock, Path: stack("sync.(*Mutex).Lock main.(*journal).append main.main"), Culprit: &culprit}
		got := of(t, log).For([]unpark.Finding{f})
		if both := names(got, unpark.OfferCall) + "|" + names(got, unpark.OfferSetting); both != want {
			t.Errorf("%s: %q, want %q", function, both, want)
		}
	}
}
