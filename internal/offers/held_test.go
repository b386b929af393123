package offers

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestHeldFor: a lock that is held for what a setting asks for is told of that setting, by the line at which a trace has its holder.
func TestHeldFor(t *testing.T) {
	const module = `type Config struct {
	// Sync writes each change to the disk.
	Sync bool
	// Sorted keeps keys in order.
	Sorted bool
	// NoFlush leaves out what goes to the disk.
	NoFlush bool
}

type Store struct {
	mu     sync.Mutex
	config Config
	file   *file
}

func (s *Store) Put(key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.file.write(key) // ALWAYS
	if s.config.Sync {
		return s.file.flush() // SYNC
	}
	if s.config.Sorted {
		s.file.sort() // SORTED
	}
	if !s.config.NoFlush {
		s.file.flushAll() // FLUSH
	}
	return nil
}
`
	for mark, want := range map[string]string{"SYNC": "Config.Sync calls flush", "FLUSH": "Config.NoFlush calls flushAll", "ALWAYS": "", "SORTED": "", "": ""} {
		all := stack("sync.(*Mutex).Lock .(*Store).Put main.handle")
		at := all[1]
		at.Line = 0
		before, _, ok := strings.Cut(module, "// "+mark)
		if ok && mark != "" {
			at.Line = strings.Count(before, "\n") + 3 // behind the package clause
		}
		got := ""
		for _, o := range of(t, module).For([]unpark.Finding{{Class: unpark.ClassLock, Path: all, Waiter: &all[1], Holder: &all[1], Culprit: &at}}) {
			if o.Kind == unpark.OfferSwitch {
				got = o.Name + " calls " + o.Calls
			}
		}
		if got != want {
			t.Errorf("at %q: %q, want %q", mark, got, want)
		}
	}
}
