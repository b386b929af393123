package report

import (
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// boxView is one place.
type boxView struct {
	X, Y, W, H float64
	TextX      float64
	NameY      float64
	PlaceY     float64
	Name       string
	Place      string
	Full       string
	Bar        []segment
	Rows       []heldView
}

// heldView is one thing that a holder did.
type heldView struct {
	Y, MarkY float64
	Class    string // of the style
	Text     string
	More     string // a second line
	MoreY    float64
	Full     string
}

// lineView is one wait: a curve with a head, and two labels.
type lineView struct {
	Path, Head string
	Width      float64
	Class      string
	Chained    bool
	TextX      float64
	AboveY     float64
	BelowY     float64
	Above      string
	Below      string
	Full       string
}

func (b *box) view() boxView {
	name, place := escape.Line(b.site.Function), escape.Line(b.site.Place())
	if b.site.IsZero() {
		name = "place not known"
	}
	last, _ := pathEnd(name)
	v := boxView{
		X: round1(b.x), Y: round1(b.y), W: round1(b.w), H: round1(b.h), TextX: round1(b.x + boxInset),
		NameY: round1(b.y + 21), PlaceY: round1(b.y + 38),
		Name: middle(name[last:], fitting(b.w, nameColumn)), Place: middle(place, fitting(b.w, nameColumn)), Full: strings.TrimSpace(name + " " + place),
	}
	if b.column == 0 {
		return v
	}
	x, y := b.x+boxInset, b.rowsTop()
	for _, p := range b.held {
		w := min(p.Share*(b.w-2*boxInset), b.x+b.w-boxInset-x)
		v.Bar = append(v.Bar, segment{Class: classStyle(p.Class), X: round1(x), W: round1(w), Y: round1(y - barHeight - 4), Text: units.Percent(p.Share) + " " + heldText(p.Held, columns)})
		x += w
	}
	for _, p := range b.shown() {
		v.Rows = append(v.Rows, b.row(p, y))
		y += partHeight(p)
	}
	return v
}

// row prints one thing that a holder did, on two lines where a wait hangs on it.
func (b *box) row(p *heldPart, y float64) heldView {
	w := fitting(b.w-16, rowColumn)
	call, place := heldCall(p.Held), escape.Line(p.Site.Place())
	text := or(call, className(p.Class))
	r := heldView{MarkY: round1(y + 5), Y: round1(y + 13), Class: classStyle(p.Class), Full: units.Percent(p.Share) + " " + heldText(p.Held, columns)}
	share := units.Percent(p.Share) + " "
	if len(p.out) > 0 {
		r.Text, r.MoreY = share+middle(text, w-width(share)), round1(y+13+rowHeight-4)
		at := escape.Line(p.Site.Function)
		last, dot := pathEnd(at)
		r.More = strings.TrimSpace(at[last:] + " " + place)
		if width(r.More) > w {
			r.More = strings.TrimSpace(strings.TrimPrefix(at[dot:], ".") + " " + place)
		}
		r.More = middle(r.More, w)
		return r
	}
	if room := w - width(share) - width(place) - 1; place != "" && width(text) <= room {
		text += " " + place
	}
	r.Text = share + middle(text, w-width(share))
	return r
}

// fitting is how many characters fit a box.
func fitting(w, each float64) int { return max(int((w-2*boxInset)/each), 8) }

// linkText labels a wait: what for, the mean per request, and the part that it
// has of the time of the slowest.
func linkText(l *waitLink, t unpark.Tracing) (above, below, full string) {
	above = className(l.edge.Class)
	mean := units.Figure(l.amount, "s") + " in all"
	if t.Requests > 0 {
		mean = units.Figure(l.amount/float64(t.Requests), "s/req")
	}
	below, full = mean, mean
	if v, ok := l.edge.Share.Get(); ok && !l.chained && hasCohorts(t) {
		below += ", " + units.Percent(v)
		full += ", " + units.Percent(v) + " of the time of the " + slowest(t)
	}
	if l.chained {
		full += " behind it"
	}
	return above, below, full
}
