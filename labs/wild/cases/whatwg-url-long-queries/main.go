// Links of a web archive: before a page is fetched, its link is written the one way that browsers agree on, so that a page is not
// kept twice. Most links are short, and some have half a form in their query.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/nlnwa/whatwg-url/url"

	"wild/service"
)

// known are the links that the archive has, by parts.
type known struct {
	parts [32]struct {
		sync.Mutex
		pages map[string]int
	}
}

// links are those of a page that was fetched.
type links struct {
	page  string
	links []string
}

// archive has pages whose links wait.
type archive struct {
	pages []links
	known known
}

// form is a link with a form of some fields in its query.
func form(n, fields int) string {
	var out strings.Builder
	fmt.Fprintf(&out, "https://forms.example/apply?session=%d", n)
	for k := range fields {
		fmt.Fprintf(&out, "&field%d=Straße %d, \t%d%%20Köln", k, k*n%90, 50_000+k)
	}
	return out.String()
}

func open() *archive {
	a := &archive{}
	for n := range 120 {
		p := links{page: fmt.Sprintf("https://town%d.example/news/", n%30)}
		for k := range 25 {
			p.links = append(p.links, fmt.Sprintf("../%d/./story-%d.html?from=home&id=%d#top", n, k*n, k*31))
		}
		if n%30 == 7 {
			p.links = append(p.links, form(n, 250))
		}
		a.pages = append(a.pages, p)
	}
	for i := range a.known.parts {
		a.known.parts[i].pages = map[string]int{}
	}
	return a
}

// seen says how often a link was seen before.
func (k *known) seen(link string) int {
	sum := sha256.Sum256([]byte(link))
	part := &k.parts[sum[0]%32]
	key := hex.EncodeToString(sum[:16])
	part.Lock()
	defer part.Unlock()
	part.pages[key]++
	return part.pages[key] - 1
}

// found is what became of the links of a page.
type found struct {
	Page   string   `json:"page"`
	Fresh  []string `json:"fresh,omitempty"`
	Known  int      `json:"known"`
	Broken int      `json:"broken"`
}

// look writes the links of a page the one way, and says which are new.
func (a *archive) look(p links) (*found, error) {
	base, err := url.Parse(p.page)
	if err != nil {
		return nil, err
	}
	out := &found{Page: base.Href(false)}
	for _, link := range p.links {
		u, err := base.Parse(link)
		if err != nil {
			out.Broken++
			continue
		}
		if href := u.Href(true); a.known.seen(href) > 0 {
			out.Known++
		} else {
			out.Fresh = append(out.Fresh, href)
		}
	}
	return out, nil
}

func (a *archive) serve(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("page"))
	if err != nil || n < 0 || n >= len(a.pages) {
		http.Error(w, "no such page", http.StatusNotFound)
		return
	}
	out, err := a.look(a.pages[n])
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	a := open()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /pages/{page}/links", a.serve)
	service.Run(mux)
}
