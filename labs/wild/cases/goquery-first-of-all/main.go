// Cards for links: a chat asks what to show for a link that was posted, and gets title, picture and text from the head
// of the page, which a crawler keeps parsed.
package main

import (
	"fmt"
	"log"
	"net/http"
	"strings"
	"sync"

	"github.com/PuerkitoBio/goquery"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"wild/service"
)

// card is what a chat shows.
type card struct {
	URL    string `json:"url"`
	Title  string `json:"title"`
	Text   string `json:"text,omitempty"`
	Image  string `json:"image,omitempty"`
	Site   string `json:"site,omitempty"`
	Author string `json:"author,omitempty"`
}

// pages are those that were crawled, by their address.
type pages struct {
	mu  sync.RWMutex
	all map[string]*goquery.Document
}

// The places of a page, best first.
var places = map[string][]string{
	"title":  {`meta[property="og:title"]`, `meta[name="twitter:title"]`},
	"text":   {`meta[property="og:description"]`, `meta[name="description"]`},
	"image":  {`meta[property="og:image"]`},
	"site":   {`meta[property="og:site_name"]`},
	"author": {`meta[name="author"]`},
}

// singles are the same, for one match of each.
var singles = map[string]goquery.Matcher{}

func first(doc *goquery.Document, selector string) *goquery.Selection {
	if m, ok := singles[selector]; ok {
		return doc.FindMatcher(m)
	}
	return doc.Find(selector).First()
}

// content is that of the first place that has one.
func content(doc *goquery.Document, what string) string {
	for _, selector := range places[what] {
		if c, ok := first(doc, selector).Attr("content"); ok {
			return strings.TrimSpace(c)
		}
	}
	return ""
}

func (p *pages) card(url string) (card, bool) {
	p.mu.RLock()
	doc, ok := p.all[url]
	p.mu.RUnlock()
	if !ok {
		return card{}, false
	}
	c := card{
		URL: url, Title: content(doc, "title"), Text: content(doc, "text"), Image: content(doc, "image"),
		Site: content(doc, "site"), Author: content(doc, "author"),
	}
	if c.Title == "" {
		c.Title = strings.TrimSpace(first(doc, "title").Text())
	}
	return c, true
}

// put keeps a page.
func (p *pages) put(url, html string) error {
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(html))
	if err != nil {
		return fmt.Errorf("%s: %w", url, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all[url] = doc
	return nil
}

func main() {
	if service.After() {
		for _, selectors := range places {
			for _, s := range selectors {
				singles[s] = goquery.Single(s)
			}
		}
		singles["title"] = goquery.Single("title")
	}
	p := &pages{all: map[string]*goquery.Document{}}
	for i := range 40 {
		if err := p.put(fmt.Sprintf("https://news.example/%d", i), page(i)); err != nil {
			log.Fatal(err)
		}
	}
	e := echo.New()
	e.HideBanner = true
	e.Use(middleware.Recover(), middleware.RequestID())
	e.GET("/card", func(c echo.Context) error {
		out, ok := p.card(c.QueryParam("url"))
		if !ok {
			return echo.NewHTTPError(http.StatusNotFound, "that page is not known")
		}
		return c.JSON(http.StatusOK, out)
	})
	service.Run(e)
}

// page is one of a newspaper: a head, an article and what readers said.
func page(i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html><html><head><meta charset="utf-8"><title>News %d</title><meta name="description" content="What happened on day %d">`, i, i)
	fmt.Fprintf(&b, `<meta name="author" content="Editor %d"><meta property="og:image" content="https://img.example/%d.jpg"><meta property="og:site_name" content="News">`, i%7, i)
	if i%3 > 0 {
		fmt.Fprintf(&b, `<meta property="og:title" content="Headline of day %d"><meta property="og:description" content="In short: %d">`, i, i)
	}
	b.WriteString(`<link rel="stylesheet" href="/style.css"></head><body><article>`)
	for s := range 20 {
		fmt.Fprintf(&b, `<section id="s%d"><h2>Part %d</h2><p>It is <b>told</b> that <a href="/%d">more</a> is to come.</p><p>So far.</p></section>`, s, s, s)
	}
	b.WriteString(`</article><ol class="comments">`)
	for c := range 60 + i%5*20 {
		fmt.Fprintf(&b, `<li class="comment" data-n="%d"><span class="by">reader %d</span><p>I <i>think</i> so too.</p><a href="#c%d">answer</a></li>`, c, c, c)
	}
	b.WriteString(`</ol></body></html>`)
	return b.String()
}
