package report

import "testing"

// TestPhoneShowsWholeTables: on a phone a row of a table is a block with its columns' names, and none has to be pushed sideways.
func TestPhoneShowsWholeTables(t *testing.T) {
	b := newBrowser(t)
	for _, width := range []int{390, 1280} {
		b.view(t, lockAtTheKnee(), "", width, 850)
		if got := b.Eval(t, `[...document.querySelectorAll('.stacked')].length`); got.(float64) < 2 {
			t.Fatalf("%v tables", got)
		}
		if got := b.Eval(t, `[...document.querySelectorAll('.stacked')].filter(x => x.parentElement.scrollWidth > x.parentElement.clientWidth).length`); got != 0.0 {
			t.Errorf("at %d: %v tables are wider than the page", width, got)
		}
		named := b.Eval(t, `getComputedStyle(document.querySelector('.stacked td'), '::before').content`)
		if on := named != "none"; on != (width == 390) {
			t.Errorf("at %d: a cell has %v before it", width, named)
		}
	}
}

// TestPhoneShowsWholeComparisons: neither what changed nor a verdict is out of view, and a table's subject is told.
func TestPhoneShowsWholeComparisons(t *testing.T) {
	b := newBrowser(t)
	for _, width := range []int{390, 1280} {
		b.viewComparison(t, proved(), "#kind=cpu", width, 850)
		if got := b.Eval(t, `document.querySelectorAll('.effects').length`); got.(float64) < 3 {
			t.Fatalf("%v tables of changes", got)
		}
		if got := b.Eval(t, `[...document.querySelectorAll('.effects')].filter(x => x.parentElement.scrollWidth > x.parentElement.clientWidth).length`); got != 0.0 {
			t.Errorf("at %d: %v tables are wider than the page", width, got)
		}
		if got := b.Text(t, ".aligned thead th"); got != "CPU per request" {
			t.Errorf("at %d the first table of functions is of %q", width, got)
		}
		lefts := b.Eval(t, `[...new Set([...document.querySelectorAll('.aligned tbody tr')].map(r => Math.round(r.lastElementChild.getBoundingClientRect().left)))].length`)
		if width == 1280 && lefts != 1.0 {
			t.Errorf("the verdicts of functions stand in %v columns", lefts)
		}
	}
}
