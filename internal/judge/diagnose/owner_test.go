package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/owner"
)

// TestCallLess: what a line of the application calls can be called less, and its result kept; but not what is another each time, what is
// called for what it does, and what the server calls.
func TestCallLess(t *testing.T) {
	for name, c := range map[string]struct{ site, culprit, want string }{
		"a result":               {"app.get", "example.org/lib.Decode", "Call lib.Decode less from app.get: keep its result"},
		"an identifier":          {"app.get", "example.org/uuid.NewString", "another value"},
		"an act":                 {"app.get", "example.org/lib.Write", "Call lib.Write less from app.get, or replace it"},
		"a handler":              {"net/http.(*ServeMux).ServeHTTP", "example.org/lib.(*Handler).ServeHTTP", "Do without lib.(*Handler).ServeHTTP"},
		"no line of the service": {"example.org/lib.Decode", "example.org/lib.Decode", "Do without lib.Decode"},
	} {
		o := owner.Owner{Site: unpark.Site{Function: c.site}, Culprit: unpark.Site{Function: c.culprit}}
		if got := callLess(model.New(facts.Evidence{}), o).Title; !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
