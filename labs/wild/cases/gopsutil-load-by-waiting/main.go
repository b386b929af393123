// Subtitles for clips: an editor's player asks for the next pieces of a clip's subtitles. How much is prepared ahead depends on how
// busy the machine is: on a free one more lines are laid out than on a loaded one.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/shirou/gopsutil/v4/cpu"

	"wild/service"
)

// line is a line of subtitles.
type line struct {
	From  int      `json:"from_ms"`
	To    int      `json:"to_ms"`
	Rows  []string `json:"rows"`
	Speed float64  `json:"letters_per_second"`
}

// clip is what is said in a clip.
type clip struct{ said []string }

// studio has clips, and knows how busy the machine is.
type studio struct {
	clips []clip
	busy  func(context.Context) (float64, error)
}

var errClip = errors.New("no such clip")

func open(busy func(context.Context) (float64, error)) *studio {
	s := &studio{busy: busy}
	parts := []string{
		"I did not know that the ferry would leave that early on a Sunday.", "Then you have not read what I wrote to you.",
		"Letters are not read any more, least of all those with a stamp.", "Well.", "The lighthouse is over there, behind the second island.",
		"If the wind turns we shall not see it before the evening.", "Give me the rope, and mind your hands!", "What about the dog?",
	}
	for i := range 60 {
		var c clip
		for j := range 80 {
			c.said = append(c.said, parts[(i*3+j*5)%len(parts)])
		}
		s.clips = append(s.clips, c)
	}
	return s
}

// rows breaks a text into rows of at most 37 letters.
func rows(text string) (out []string) {
	row := ""
	for _, word := range strings.Fields(text) {
		if row != "" && utf8.RuneCountInString(row)+1+utf8.RuneCountInString(word) > 37 {
			out = append(out, row)
			row = ""
		}
		row = strings.TrimSpace(row + " " + word)
	}
	return append(out, row)
}

// next lays out lines of a clip from one on.
func (s *studio) next(ctx context.Context, id string, from int) ([]line, error) {
	i, err := strconv.Atoi(id)
	if err != nil || i < 0 || i >= len(s.clips) {
		return nil, errClip
	}
	percent, err := s.busy(ctx)
	if err != nil {
		return nil, err
	}
	ahead := 20
	if percent > 80 {
		ahead = 10
	}
	c := s.clips[i]
	var out []line
	for at, n := from*2400, from; n < min(from+ahead, len(c.said)); n++ {
		letters := utf8.RuneCountInString(c.said[n])
		took := max(900, letters*62)
		out = append(out, line{at, at + took, rows(c.said[n]), float64(letters) * 1000 / float64(took)})
		at += took + 120
	}
	return out, nil
}

func (s *studio) serve(w http.ResponseWriter, r *http.Request) {
	from, err := strconv.Atoi(r.FormValue("from"))
	if err != nil || from < 0 {
		http.Error(w, "from is the number of a line", http.StatusBadRequest)
		return
	}
	out, err := s.next(r.Context(), r.PathValue("clip"), from)
	switch {
	case errors.Is(err, errClip):
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

// measured is how busy the processors are, in percent.
func measured(ctx context.Context) (float64, error) {
	all, err := cpu.PercentWithContext(ctx, 50*time.Millisecond, false)
	if err != nil {
		return 0, err
	}
	return all[0], nil
}

// kept measures in the background, and returns what says what it was last.
func kept() func(context.Context) (float64, error) {
	var last atomic.Int64
	go func() {
		for {
			percent, err := measured(context.Background())
			if err != nil {
				log.Print(err)
			}
			last.Store(int64(percent))
			time.Sleep(500 * time.Millisecond)
		}
	}()
	return func(context.Context) (float64, error) { return float64(last.Load()), nil }
}

func main() {
	busy := measured
	if service.After() {
		busy = kept()
	}
	s := open(busy)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /clips/{clip}/lines", s.serve)
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "well") })
	service.Run(mux)
}
