package offers

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestModes: a setting of a type that has a constant for each of some ways, where what costs is called by one of them; not one of a type that has
// but one, and not where it does not decide.
func TestModes(t *testing.T) {
	const log = `
// Durability is when what is written is on the disk.
type Durability int

const (
	OnEach Durability = iota
	OnClose
)

// Config is of a log.
type Config struct {
	// Durability is when.
	Durability Durability
}

type Log struct{ c Config; f *os.File }

func Open(c Config) *Log { return nil }

func (l *Log) Append(b []byte) {
	l.write(b)
	switch l.c.Durability {
	case OnEach:
		l.flush()
	}
}

func (l *Log) write(b []byte) {}

func (l *Log) flush() { l.f.Sync() }
`
	const path = ".(*Log).flush .(*Log).Append main.main"
	for what, c := range map[string]struct{ text, path, want string }{
		"one of some":           {log, path, "Config.Durability"},
		"by comparison":         {strings.Replace(log, "switch l.c.Durability {\n\tcase OnEach:", "if l.c.Durability == OnEach {", 1), path, "Config.Durability"},
		"there is only one":     {strings.Replace(log, "\tOnClose\n", "", 1), path, ""},
		"of what is no setting": {strings.ReplaceAll(log, "Config", "Token"), path, ""},
		"what is not asked":     {log, ".(*Log).write .(*Log).Append main.main", ""},
	} {
		if got := told(t, unpark.OfferSwitch, unpark.ClassCPU, c.text, c.path); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

// TestNamedSizes: a size has a name for its type as well.
func TestNamedSizes(t *testing.T) {
	const log = `
type Bytes int64

type Name string

// Config is of a log.
type Config struct {
	// CacheSize is how much is kept.
	CacheSize Bytes
	// CacheName is for people.
	CacheName Name
}

type Log struct{ c Config }

func Open(c Config) *Log { return nil }

func (l *Log) Read() { use(l.c.CacheSize, l.c.CacheName) }
`
	if got := told(t, unpark.OfferSetting, unpark.ClassCPU, log, ".(*Log).Read main.main"); got != "Config.CacheSize" {
		t.Errorf("settings are %q", got)
	}
}
