package offers

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestAside: a switch that a function of the stack asks about work which the way does not come to is
// no setting for what that costs.
func TestAside(t *testing.T) {
	mine := unpark.Site{Function: "main.serve", File: "/src/shop/main.go", Line: 9}
	desk := func(names ...string) []unpark.Site {
		var out []unpark.Site
		for _, name := range names {
			out = append(out, at(".(*Desk)."+name, "desk.go"))
		}
		return append(out, mine)
	}
	tests := []struct {
		what     string
		class    unpark.Class
		path     []unpark.Site
		settings string
	}{
		{"what leads to the other answer", unpark.ClassCPU, desk("paper", "Answer"), "DeskConfig.SkipStamp"},
		{"what decides within the answer itself", unpark.ClassCPU, desk("list", "Answer"), "DeskConfig.SkipStamp DeskConfig.SkipTotals"},
		{"a function that nothing is known of below", unpark.ClassCPU, desk("Answer"), "DeskConfig.DisableLists DeskConfig.SkipStamp DeskConfig.SkipTotals"},
		{"a wait far below", unpark.ClassLock, desk("stamp", "paper", "Answer"), "DeskConfig.SkipStamp"},
		{"a wait right below, in which its caller may hold what is waited for", unpark.ClassLock, desk("paper", "Answer"), "DeskConfig.DisableLists DeskConfig.SkipStamp DeskConfig.SkipTotals"},
	}
	for _, test := range tests {
		got := reader(t).For([]unpark.Finding{{Class: test.class, Path: test.path}})
		if s := names(got, unpark.OfferSetting); s != test.settings {
			t.Errorf("%s: settings %q, want %q", test.what, s, test.settings)
		}
	}
}
