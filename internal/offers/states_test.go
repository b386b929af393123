package offers

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestStates: a field that says what something is, is no setting of it; one of options is, whatever its name.
func TestStates(t *testing.T) {
	const parser = `
// Parser reads.
type Parser struct {
	// IsShortIndex says that the index is short.
	IsShortIndex bool
	// SkipIndex leaves the index out.
	SkipIndex bool
	opts Options
}

// Options are of a Parser.
type Options struct{ IsIndexed bool }

func NewParser(o Options) *Parser { return nil }

func (p *Parser) Parse() int { return count(p.IsShortIndex, p.SkipIndex, p.opts.IsIndexed) }
`
	if got := told(t, unpark.OfferSetting, unpark.ClassCPU, parser, ".(*Parser).Parse main.main"); got != "Options.IsIndexed Parser.SkipIndex" {
		t.Errorf("settings are %q", got)
	}
}
