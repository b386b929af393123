package investigate

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestUnsaidOfAProcess: a process that was read by its number is to be measured by it; others are named as they were.
func TestUnsaidOfAProcess(t *testing.T) {
	m := model.New(facts.Evidence{})
	for want, target := range map[string]unpark.Target{
		"unpark run --pid 4711 --url http://HOST:PORT/path":   {Attach: &unpark.Attach{PIDs: []int{4711}}},
		"unpark run --pprof http://HOST:PORT --url ":          {},
		"unpark run --pprof http://HOST:PORT --url http://HO": {Attach: &unpark.Attach{PIDs: []int{1, 2}}},
	} {
		all := unsaid(target, m)
		if len(all) == 0 || !strings.HasPrefix(all[0].Cure, want) {
			t.Errorf("%+v: %+v, want %q", target.Attach, all, want)
		}
	}
}
