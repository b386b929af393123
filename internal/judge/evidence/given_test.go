package evidence

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// TestWhoGivesAPlaceBack: a pool hands its places over in a function of its own, and the one to name is the application's that had the place; a
// lock inside of the same library stays the library's, and so does what is both.
func TestWhoGivesAPlaceBack(t *testing.T) {
	const above = "database/sql.(*DB).putConn database/sql.(*driverConn).releaseConn database/sql.(*Rows).Close main.(*store).export main.main.func1 net/http.HandlerFunc.ServeHTTP net/http.(*conn).serve"
	for _, c := range []struct {
		name, holder string
		states       []exectrace.State
		want         string
	}{
		{"a place", "runtime.chansend1 database/sql.(*DB).putConnDBLocked " + above, []exectrace.State{exectrace.Pool}, "main.(*store).export"},
		{"a lock", "sync.(*Mutex).Unlock " + above, []exectrace.State{exectrace.Lock}, "database/sql.(*DB).putConn"},
		{"both", "sync.(*Mutex).Unlock " + above, []exectrace.State{exectrace.Pool, exectrace.Lock}, "database/sql.(*DB).putConn"},
		{"both, the other way round", "sync.(*Mutex).Unlock " + above, []exectrace.State{exectrace.Lock, exectrace.Pool}, "database/sql.(*DB).putConn"},
	} {
		t.Run(c.name, func(t *testing.T) {
			trace := &exectrace.Trace{Stacks: make([][]unpark.Site, 2), Uses: make([]exectrace.Use, 2)}
			for name := range strings.FieldsSeq(c.holder) {
				trace.Stacks[1] = append(trace.Stacks[1], unpark.Site{Function: name, Line: 1})
			}
			for _, s := range c.states {
				trace.Edges = append(trace.Edges, exectrace.Edge{State: s, Holder: 1})
			}
			if got := spotsOf(profile.NewCatalogue("example.com/shop"), trace)[1].site.Function; got != c.want {
				t.Errorf("it is given back in %s, want %s", got, c.want)
			}
		})
	}
}
