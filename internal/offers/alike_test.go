package offers

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestAlike: what documentation tells by the function that is called, and says what it does otherwise.
func TestAlike(t *testing.T) {
	const match = "func Match(s, pattern string) bool { return match(s, pattern) }\nfunc match(s, pattern string) bool { return false }\n"
	for doc, want := range map[string]string{
		"MatchLimit is the same as Match but will limit its complexity": "MatchLimit",
		"MatchLimit is like Match, except that it stops":                "MatchLimit",
		"MatchLimit is like Match but panics":                           "",
		"MatchLimit is like Match":                                      "",
		"MatchLimit is the same as Find but stops":                      "",
		"MatchLimit limits":                                             "",
	} {
		text := match + "// " + doc + ".\nfunc MatchLimit(s, pattern string, most int) (matched, stopped bool) { return false, false }"
		if got := told(t, unpark.OfferCall, unpark.ClassCPU, text, ".match .Match main.main"); got != want {
			t.Errorf("%s: %q, want %q", doc, got, want)
		}
	}
	if got := told(t, unpark.OfferCall, unpark.ClassCPU, match+"// MatchContext is like Match, but with a context.\nfunc MatchContext(ctx context.Context, s, pattern string) bool { return false }", ".match .Match main.main"); got != "" {
		t.Errorf("with a context it does the same: %q", got)
	}
}

// TestBetterWay: of notes that which names a better way comes first.
func TestBetterWay(t *testing.T) {
	const list = "type Query struct{}\n// ToSlice puts all into a slice, for which it may allocate.\nfunc (q Query) ToSlice() { q.where() }\n"
	for doc, want := range map[string]string{
		"WhereT is the typed version of Where. Where has better performance than WhereT": "Query.WhereT",
		"WhereT is the typed version of Where. WhereT has better performance than Where": "Query.ToSlice",
		"WhereT is the typed version of Where":                                           "Query.ToSlice",
	} {
		text := list + "// " + doc + ".\nfunc (q Query) WhereT(f any) Query { return q }\nfunc (q Query) where() {}"
		if got := told(t, unpark.OfferNote, unpark.ClassCPU, text, ".Query.where .Query.ToSlice .Query.WhereT.Query.Where.func3 main.main"); got != want {
			t.Errorf("%s: %q, want %q", doc, got, want)
		}
	}
}
