// Labels for a printer: what is on a label is told as lines of text, and the service says how wide each is in the label's
// font, and where lines must be broken.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strings"
	"sync"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/math/fixed"

	"wild/service"
)

// pen is what one label at a time is set with: none of it is safe for several.
type pen struct {
	plain, bold *font.Face
	shaper      *shaping.HarfbuzzShaper
}

// setter has pens.
type setter struct{ pens sync.Pool }

func open() (*setter, error) {
	plain, err := font.ParseTTF(bytes.NewReader(goregular.TTF))
	if err != nil {
		return nil, err
	}
	bold, err := font.ParseTTF(bytes.NewReader(gobold.TTF))
	if err != nil {
		return nil, err
	}
	s := &setter{}
	s.pens.New = func() any {
		return &pen{font.NewFace(plain.Font), font.NewFace(bold.Font), &shaping.HarfbuzzShaper{}}
	}
	return s, nil
}

// width is that of a word, in pixels.
func (p *pen) width(word string, bold bool, size int) float64 {
	shaper := p.shaper
	if !service.After() {
		shaper = &shaping.HarfbuzzShaper{}
	}
	face := p.plain
	if bold {
		face = p.bold
	}
	text := []rune(word)
	out := shaper.Shape(shaping.Input{
		Text: text, RunEnd: len(text), Direction: di.DirectionLTR, Face: face, Size: fixed.I(size),
		Script: language.Latin, Language: language.NewLanguage("en"),
	})
	return float64(out.Advance) / 64
}

// line is one as it is set.
type line struct {
	Text  string  `json:"text"`
	Width float64 `json:"width"`
}

// label is what is asked for.
type label struct {
	Size  int      `json:"size"`
	Width float64  `json:"width"`
	Lines []string `json:"lines"` // bold where they begin with a *
}

var errLabel = errors.New("a label has lines, a width and a size")

// set breaks the lines of a label.
func (s *setter) set(in label) (out []line, err error) {
	if in.Size < 6 || in.Size > 96 || in.Width <= 0 || len(in.Lines) == 0 {
		return nil, errLabel
	}
	p := s.pens.Get().(*pen)
	defer s.pens.Put(p)
	for _, text := range in.Lines {
		text, bold := strings.CutPrefix(text, "*")
		space := p.width(" ", bold, in.Size)
		now := line{}
		for word := range strings.FieldsSeq(text) {
			w := p.width(word, bold, in.Size)
			if now.Text != "" && now.Width+space+w > in.Width {
				out = append(out, now)
				now = line{}
			}
			if now.Text != "" {
				now.Text, now.Width = now.Text+" ", now.Width+space
			}
			now.Text, now.Width = now.Text+word, now.Width+w
		}
		out = append(out, now)
	}
	return out, nil
}

func main() {
	s, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /labels", func(w http.ResponseWriter, r *http.Request) {
		var in label
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		out, err := s.set(in)
		if err != nil {
			http.Error(w, fmt.Sprint(err), http.StatusUnprocessableEntity)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"lines": out})
	})
	service.Run(mux)
}
