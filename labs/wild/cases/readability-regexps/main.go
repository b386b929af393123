// Articles to read later: what there is to read of a page, without what is around it, its title, and how long it takes.
// The pages are those of a newspaper, a process of its own, whose readers comment on them all the time.
package main

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/go-shiori/go-readability"
	dom "golang.org/x/net/html"

	"wild/service"
)

// article is what is kept of a page.
type article struct {
	Title   string `json:"title"`
	Byline  string `json:"byline"`
	Excerpt string `json:"excerpt"`
	Words   int    `json:"words"`
	Minutes int    `json:"minutes"`
	Text    string `json:"text"`
}

// reader fetches pages.
type reader struct {
	base   *url.URL
	client *http.Client
}

func (rd *reader) article(r *http.Request, page string) (*article, error) {
	at := rd.base.JoinPath("stories", page)
	req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, at.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	resp, err := rd.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", at, resp.Status)
	}
	tree, err := dom.Parse(io.LimitReader(resp.Body, 1<<20)) // the newspaper writes UTF-8
	if err != nil {
		return nil, err
	}
	found, err := readability.FromDocument(tree, at)
	if err != nil {
		return nil, err
	}
	words := len(strings.Fields(found.TextContent))
	return &article{
		Title: found.Title, Byline: found.Byline, Excerpt: found.Excerpt,
		Words: words, Minutes: words/220 + 1, Text: strings.TrimSpace(found.TextContent),
	}, nil
}

func (rd *reader) read(w http.ResponseWriter, r *http.Request) {
	a, err := rd.article(r, r.PathValue("page"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(a)
}

func main() {
	if os.Getenv("ROLE") == "newspaper" {
		serveNewspaper()
		return
	}
	base, err := url.Parse("http://" + service.Beside("newspaper"))
	if err != nil {
		log.Fatal(err)
	}
	rd := &reader{base, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /read/{page}", rd.read)
	service.Run(mux)
}

// serveNewspaper has stories, what belongs to them, and comments.
func serveNewspaper() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	var comments atomic.Int64
	http.HandleFunc("GET /stories/{page}", func(w http.ResponseWriter, r *http.Request) {
		n := 7
		for _, c := range r.PathValue("page") {
			n = (n*31 + int(c)) % 997
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, story(r.PathValue("page"), n, comments.Add(1)))
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

func story(page string, n int, comment int64) string {
	var b strings.Builder
	title := html.EscapeString(strings.ReplaceAll(page, "-", " "))
	fmt.Fprintf(&b, `<!doctype html><html lang="en"><head><title>%s | The Daily Lamp</title><meta name="author" content="R. Writer">
<meta property="og:title" content="%s"><meta name="description" content="What there is to know of %s.">
</head><body class="page story-page"><header class="site-header banner" id="masthead"><nav class="menu navigation" role="navigation"><ul>`, title, title, title)
	for _, s := range []string{"world", "city", "sports", "arts", "science", "weather", "letters"} {
		fmt.Fprintf(&b, `<li class="menu-item nav-%s"><a class="nav-link" href="/%s">%s</a></li>`, s, s, s)
	}
	b.WriteString(`</ul></nav></header><main class="content-wrapper"><div class="article-body entry-content" id="story">`)
	fmt.Fprintf(&b, `<h1 class="headline">%s</h1><p class="byline author">By R. Writer</p>`, title)
	for i := range 12 + n%6 {
		fmt.Fprintf(&b, `<div class="paragraph-block block-%d"><p class="story-text" id="p%d">`, i, i)
		for s := range 4 {
			fmt.Fprintf(&b, "In the %s of the town, as was said on day %d, the council heard %d people, of which %d spoke, and it was decided to wait. ",
				[]string{"north", "south", "east", "west"}[(i+s+n)%4], i*3+n, (n*s)%90+10, s+2)
		}
		b.WriteString(`</p></div>`)
		if i%4 == 3 {
			fmt.Fprintf(&b, `<figure class="media image-wrapper"><img class="lazy" alt="" src="/img/%d.jpg"><figcaption class="caption">The hall, %d</figcaption></figure><div class="ad-break sponsor" id="ad-%d"><span class="label">Advertisement</span></div>`, n+i, 1990+i, i)
		}
	}
	b.WriteString(`</div><aside class="sidebar related widget"><ul class="related-list">`)
	for i := range 14 {
		fmt.Fprintf(&b, `<li class="related-item teaser"><a class="teaser-link" href="/stories/other-%d"><span class="teaser-title">Another story, %d</span></a><div class="share-tools social"><a class="share" href="#">Share</a></div></li>`, i*n, i)
	}
	b.WriteString(`</ul></aside><section class="comments discussion" id="disqus">`)
	for i := range 20 {
		fmt.Fprintf(&b, `<div class="comment reply-%d" id="c%d"><span class="comment-author">reader %d</span><div class="comment-body">I think, as the %dth here, that it is so.</div></div>`, i%3, i, n*i, comment+int64(i))
	}
	b.WriteString(`</section></main><footer class="site-footer" id="footer"><p class="copyright">` + strconv.Itoa(1900+n%100) + `</p></footer></body></html>`)
	return b.String()
}
