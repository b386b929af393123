package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// changedFunctions has each kind of row.
func changedFunctions() []unpark.FunctionChange {
	row := func(function, metric, unit string, before, after, share float64) unpark.FunctionChange {
		c := unpark.FunctionChange{
			Function: function, Metric: metric, P: num(0.0002), Verdict: "worse",
			Before: unpark.Measured(before, unit, 12), After: unpark.Measured(after, unit, 12),
			Change: unpark.Between(after-before, after-before-1e-6, after-before+1e-6, unit, 12), Share: unpark.Between(share, share-0.004, share+0.005, "ratio", 12),
		}
		if share < 0 {
			c.Verdict = "better"
		}
		return c
	}
	out := []unpark.FunctionChange{
		row("example.com/shop/search.(*Index).Rank", "cpu_per_request", "s/req", 220e-6, 264e-6, 0.0203),
		row("example.com/shop/web.(*Handler).encode", "cpu_per_request", "s/req", 400e-6, 361e-6, -0.018),
		row("example.com/shop/web.logRequest", "cpu_per_request", "s/req", 0, 30e-6, 0.0138),
		row("example.com/shop/store.(*Cache).fetchAndDecode", "cpu_per_request", "s/req", 500e-6, 520e-6, 0.009),
		row("example.com/shop/web.(*Handler).write", "bytes_per_request", "B/req", 8192, 9216, 0.029),
		row("example.com/shop/price.old", "cpu_per_request", "s/req", 100e-6, 0, -0.046),
		row("example.com/shop/price.renamed", "cpu_per_request", "s/req", 0, 100e-6, 0.046),
	}
	out[2].Only, out[3].Inclusive = "after", true
	out[5].Verdict, out[5].Moved, out[5].Only = "moved", out[6].Function, "before"
	out[6].Verdict, out[6].Moved, out[6].Only = "moved", out[5].Function, "after"
	return out
}

// TestFunctionsAreFew: a terminal lists ten and says how many there are, the page has all.
func TestFunctionsAreFew(t *testing.T) {
	c := unpark.Comparison{FunctionsTested: &unpark.FunctionsTested{Functions: 40, Rounds: 20}}
	for i := range 13 {
		f := changedFunctions()[0]
		f.Function = fmt.Sprintf("shop.f%02d", i)
		c.Functions = append(c.Functions, f)
	}
	var text, page strings.Builder
	if err := Text(&text, c); err != nil {
		t.Fatal(err)
	}
	if err := ComparisonHTML(&page, ComparisonPage{Comparison: c}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text.String(), "shop.f"); n != functionsShown || !strings.Contains(text.String(), "The other 3 are") {
		t.Errorf("%d functions:\n%s", n, text.String())
	}
	if n := strings.Count(page.String(), "shop.f"); n != 13 {
		t.Errorf("the page has %d functions", n)
	}
}
