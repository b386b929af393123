package window

import (
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/target"
)

func TestTimeNeedsLoadAndTarget(t *testing.T) {
	processes := func() ([]target.Process, error) { return nil, nil }
	for name, o := range map[string]Options{
		"no load":   {Duration: time.Second, Processes: processes},
		"no length": {Generator: &load.Generator{}, Processes: processes},
		"no target": {Generator: &load.Generator{}, Duration: time.Second},
	} {
		if _, err := Time(t.Context(), o); err == nil || !strings.Contains(err.Error(), "it needs a length, load and the target's processes") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
