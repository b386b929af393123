package diagnose

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// Rule finds one sort of cause. Run is a function of the model alone, and no rule calls
// another: what several of them ask is a table of the model.
type Rule struct {
	ID    string // stable, kebab-case; the name of its folder in testdata
	Title string // what it looks for, in a few words
	// Doc says what the rule reads, when it fires and when it stays silent.
	Doc   string
	Class unpark.Class
	Needs []unpark.Kind // without these it sees less or nothing
	Run   func(*model.Model) []unpark.Finding
	Last  bool // it runs only where the others found nothing
	// Supersedes says which findings of other rules give way to those of this one.
	Supersedes []Supersession
}

// Supersession is a rule whose findings may be another view of the same cause.
type Supersession struct {
	Rule string // its ID
	// Same reports whether a finding of it is covered by mine.
	Same func(m *model.Model, mine, other unpark.Finding) bool
	// Take adds to mine what the other one measured; nil where that adds nothing.
	Take func(m *model.Model, mine *unpark.Finding, other unpark.Finding)
}

// sameFunction is for two findings about all of the work of one function.
func sameFunction(_ *model.Model, mine, other unpark.Finding) bool {
	return mine.Site.Function == other.Site.Function
}

// Rules returns every rule, in the order in which they run.
func Rules() []Rule {
	return []Rule{
		lockRule(), channelRule(), poolRule(), downstreamRule(), ioRule(), rateLimitRule(),
		quotaRule(), recomputeRule(), setupRule(), stopRule(), recordRule(), yieldRule(), handoffRule(), cpuRule(), allocRule(), allocatorRule(), gcRule(), syscallRule(), wireRule(), leakRule(), servingRule(),
	}
}
