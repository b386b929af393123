package diagnose

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// Rule finds one sort of cause. It keeps no state; Run may be called at the
// same time from several goroutines.
type Rule struct {
	ID    string // stable, kebab-case; the name of its folder in testdata
	Title string // what it looks for, in a few words
	// Doc says what the rule reads, when it fires and when it stays silent.
	Doc   string
	Class unpark.Class
	Needs []unpark.Kind // without these it sees less or nothing
	Run   func(facts.Evidence) []unpark.Finding
}

// Rules returns every rule, in the order in which they run.
func Rules() []Rule {
	return []Rule{
		lockRule(), channelRule(), poolRule(), downstreamRule(), ioRule(), rateLimitRule(),
		quotaRule(), recomputeRule(), setupRule(), cpuRule(), allocRule(), gcRule(), syscallRule(), leakRule(),
	}
}
