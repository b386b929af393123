package report

import (
	"strings"
	"testing"
)

func pageCosts(t *testing.T, b *browser) {
	for _, width := range []int{1280, 420} {
		b.view(t, costBeside(), "", width, 900)
		if got := b.Text(t, "#costs"); got != "What else the CPU goes to" {
			t.Errorf("heading %q", got)
		}
		if got := b.Text(t, ".spent caption"); !strings.Contains(got, "share of the target's CPU") {
			t.Errorf("caption %q", got)
		}
		if got := strings.ReplaceAll(b.Text(t, ".spent tbody th[scope=row]"), joint, " "); got != "…/web.(*Server).render render.go:23 87.4 % of it in json.Marshal" {
			t.Errorf("first function %q", got)
		}
		if got := strings.ReplaceAll(b.Text(t, ".spent tbody .better"), joint, " "); got != "9.12k req/s → 11.6k req/s, +27.1 % (+24.7 % to +29.9 %)" {
			t.Errorf("first gain %q", got)
		}
		for cells, want := range map[string]float64{"thead th[scope=col]": 3, "tbody tr": 3, "tbody td": 6, "tbody td:empty, tbody td .text:empty": 1} {
			if n := b.Eval(t, `document.querySelectorAll('.spent `+strings.ReplaceAll(cells, ", ", ", .spent ")+`').length`).(float64); n != want {
				t.Errorf("%v of %s, want %v", n, cells, want)
			}
		}
		if over := b.Eval(t, `document.querySelector('.spent').scrollWidth - document.querySelector('main').clientWidth`).(float64); over > 0 {
			t.Errorf("the table is %v pixels too wide for %d", over, width)
		}
		if below := b.Eval(t, `document.querySelector('.spent').getBoundingClientRect().top > document.querySelector('.card').getBoundingClientRect().bottom`); below != true {
			t.Error("the costs are not below the findings")
		}
	}
}
