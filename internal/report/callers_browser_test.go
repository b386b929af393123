package report

import (
	"os"
	"strings"
	"testing"
)

// pageAround: a function that is chosen in the table has its callers and callees there; a text that many match has not.
func pageAround(t *testing.T, b *browser) {
	b.view(t, lockAtTheKnee(), "#kind=cpu&q=cache", 1280, 900)
	b.Until(t, `document.getElementById('flame').dataset.matched > 0`)
	if got := b.Text(t, "#heaviest caption"); !strings.HasPrefix(got, "Functions in view that match") {
		t.Errorf("a text that several match: %q", got)
	}
	b.Eval(t, `[...document.querySelectorAll('#heaviest button')].find(x => x.title.includes('(*Cache).Get')).click()`)
	b.Until(t, `document.querySelectorAll('#heaviest [data-around]').length > 0`)
	rows := b.Eval(t, `[...document.querySelectorAll('#heaviest [data-around]')].map(r => r.dataset.around + ' ' + r.querySelector('button').title.split('\n')[0].split('/').pop() + ' ' + r.cells[2].textContent).join('; ')`)
	if want := "caller web.(*Server).item 78.1 s; with callees cache.(*Cache).Get 78.1 s; itself cache.(*Cache).Get 0 s; callee sync.(*Mutex).Lock 62.1 s; callee cache.decode 16.0 s"; rows != want {
		t.Errorf("around it: %q, want %q", rows, want)
	}
	if got := b.Eval(t, `new URLSearchParams(location.hash.slice(1)).get('q')`); got != "example.com/shop/lookup/internal/cache.(*Cache).Get" {
		t.Errorf("the address has %v", got)
	}
	b.Press(t, "Escape")
	b.Until(t, `document.querySelectorAll('#heaviest [data-around]').length === 0`)
}

// pageRecursion: stacks all → a → b → a → b → c of 5 and all → a → c of 2 count once for each caller and callee.
func pageRecursion(t *testing.T, b *browser) {
	b.view(t, lockAtTheKnee(), "#kind=cpu", 1280, 900)
	source, err := os.ReadFile("look/flame.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ of, root, want string }{
		{"1", "0", "[[[0,7]],[[2,5],[3,2]]]"}, // a
		{"2", "0", "[[[1,5]],[[1,5],[3,5]]]"}, // b
		{"3", "0", "[[[2,5],[1,2]],[]]"},      // c
		{"2", "3", "[[[1,5]],[[3,5]]]"},       // b below the second a
		{"0", "0", "[[],[[1,7]]]"},            // all
	} {
		got := b.Eval(t, "(() => {"+string(source)+`
			const f = Object.create(Flame.prototype);
			Object.assign(f, { size: 7, names: ['all', 'a', 'b', 'c'], name: [0, 1, 2, 1, 2, 3, 3], depth: [0, 1, 2, 3, 4, 5, 2], value: [7, 7, 5, 5, 5, 5, 2] });
			return JSON.stringify(f.around(`+tt.of+`, `+tt.root+`)); })()`)
		if got != tt.want {
			t.Errorf("around %s below %s: %v, want %s", tt.of, tt.root, got, tt.want)
		}
	}
}
