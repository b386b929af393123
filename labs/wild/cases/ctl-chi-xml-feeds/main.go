// Feeds of a radio station: the programmes of a week by what a listener is interested in, as RSS. There are too many mixtures
// to keep them, and each is written as it is asked for, from what is in memory.
package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"log"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"wild/service"
)

type enclosure struct {
	URL    string `xml:"url,attr"`
	Length int    `xml:"length,attr"`
	Type   string `xml:"type,attr"`
}

type programme struct {
	Title   string    `xml:"title"`
	Link    string    `xml:"link"`
	GUID    string    `xml:"guid"`
	Date    string    `xml:"pubDate"`
	Subject []string  `xml:"category"`
	Text    string    `xml:"description"`
	Sound   enclosure `xml:"enclosure"`
}

type channel struct {
	Title string       `xml:"title"`
	Link  string       `xml:"link"`
	Lang  string       `xml:"language"`
	Items []*programme `xml:"item"`
}

type feed struct {
	XMLName xml.Name `xml:"rss"`
	Version string   `xml:"version,attr"`
	Channel channel  `xml:"channel"`
}

var subjects = []string{"music", "science", "history", "sports", "books", "politics", "nature", "children"}

// station has programmes, by their subject, the newest first.
type station struct {
	of    map[string][]*programme
	pages sync.Pool
}

func open() *station {
	s := &station{of: map[string][]*programme{}, pages: sync.Pool{New: func() any { return new(bytes.Buffer) }}}
	monday := time.Date(2026, 11, 23, 6, 0, 0, 0, time.UTC)
	for i := range 400 {
		first, second := subjects[i%len(subjects)], subjects[(i*5+3)%len(subjects)]
		p := &programme{
			Title: fmt.Sprintf("%s, part %d", strings.ToTitle(first[:1])+first[1:], i), Link: fmt.Sprintf("https://radio.example/p/%d", i),
			GUID: fmt.Sprint("radio-", i), Date: monday.Add(time.Duration(400-i) * 20 * time.Minute).Format(time.RFC1123Z),
			Subject: []string{first, second}, Text: strings.Repeat("Guests & music, <live> from the studio. ", 2+i%4),
			Sound: enclosure{fmt.Sprintf("https://radio.example/s/%d.mp3", i), 9_000_000 + i*1000, "audio/mpeg"},
		}
		s.of[first] = append(s.of[first], p)
	}
	return s
}

// mixture is the feed of some subjects.
func (s *station) mixture(of []string, count int) feed {
	out := feed{Version: "2.0", Channel: channel{Title: "Radio: " + strings.Join(of, ", "), Link: "https://radio.example", Lang: "en"}}
	for i := 0; len(out.Channel.Items) < count; i++ {
		more := false
		for _, subject := range of {
			if all := s.of[subject]; i < len(all) && len(out.Channel.Items) < count {
				out.Channel.Items = append(out.Channel.Items, all[i])
				more = true
			}
		}
		if !more {
			break
		}
	}
	return out
}

func (s *station) serve(w http.ResponseWriter, r *http.Request) {
	of := strings.Split(chi.URLParam(r, "subjects"), "+")
	for _, subject := range of {
		if _, ok := s.of[subject]; !ok {
			http.Error(w, "no such subject", http.StatusNotFound)
			return
		}
	}
	page := s.pages.Get().(*bytes.Buffer)
	defer s.pages.Put(page)
	page.Reset()
	page.WriteString(xml.Header)
	if err := xml.NewEncoder(page).Encode(s.mixture(of, 12)); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/rss+xml")
	w.Write(page.Bytes())
}

func main() {
	s := open()
	r := chi.NewRouter()
	r.Use(middleware.Recoverer)
	r.Get("/feeds/{subjects}", s.serve)
	srv := &http.Server{Handler: r, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
