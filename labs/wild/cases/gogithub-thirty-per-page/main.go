// What is to be done in the repositories of a company: how many issues are open in each, of which kind, and which wait
// longest. They are kept by GitHub; what answers in its place is a process of its own.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/google/go-github/v74/github"

	"wild/service"
)

// board shows what is open.
type board struct {
	hub *github.Client
}

const owner = "lamps"

// open are the open issues of a repository.
func (b *board) open(ctx context.Context, repo string) ([]*github.Issue, error) {
	opts := &github.IssueListByRepoOptions{State: "open", Sort: "created"}
	if service.After() {
		opts.ListOptions.PerPage = 100
	}
	var all []*github.Issue
	for {
		page, resp, err := b.hub.Issues.ListByRepo(ctx, owner, repo, opts)
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if resp.NextPage == 0 {
			return all, nil
		}
		opts.ListOptions.Page = resp.NextPage
	}
}

// waiting is an issue of the board.
type waiting struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	Days   int    `json:"days"`
}

var today = time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC)

func (b *board) show(w http.ResponseWriter, r *http.Request) {
	all, err := b.open(r.Context(), r.PathValue("repo"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	kinds := map[string]int{}
	var oldest []waiting
	for _, issue := range all {
		for _, l := range issue.Labels {
			kinds[l.GetName()]++
		}
		oldest = append(oldest, waiting{issue.GetNumber(), issue.GetTitle(), int(today.Sub(issue.GetCreatedAt().Time).Hours() / 24)})
	}
	slices.SortStableFunc(oldest, func(a, b waiting) int { return cmp.Compare(b.Days, a.Days) })
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"open": len(all), "kinds": kinds, "oldest": oldest[:min(5, len(oldest))]})
}

func main() {
	if os.Getenv("ROLE") == "hub" {
		serveHub()
		return
	}
	hub := github.NewClient(&http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 10 * time.Second})
	base, err := url.Parse("http://" + service.Beside("hub") + "/")
	if err != nil {
		log.Fatal(err)
	}
	hub.BaseURL = base
	b := &board{hub}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /board/{repo}", b.show)
	service.Run(mux)
}

// serveHub has from 180 to 299 issues in a repository, and takes 25 ms for a page of them.
func serveHub() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /repos/{owner}/{repo}/issues", func(w http.ResponseWriter, r *http.Request) {
		n := 5
		for _, c := range r.PathValue("repo") {
			n = (n*31 + int(c)) % 1009
		}
		size, page := number(r, "per_page", 30), number(r, "page", 1)
		first, last := (page-1)*size, min(page*size, 180+n%120)
		time.Sleep(25 * time.Millisecond)
		if last < 180+n%120 {
			at := "http://" + r.Host + r.URL.Path
			w.Header().Set("Link", fmt.Sprintf(`<%s?per_page=%d&page=%d>; rel="next"`, at, size, page+1))
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, "[")
		for i := first; i < last; i++ {
			if i > first {
				io.WriteString(w, ",")
			}
			fmt.Fprintf(w, `{"number":%d,"title":"Lamp %d flickers","created_at":"2024-%02d-%02dT08:00:00Z","labels":[{"name":"%s"}]}`,
				n*10+i, i, (i+n)%12+1, i%28+1, []string{"bug", "wish", "question", "docs"}[(i*n)%4])
		}
		io.WriteString(w, "]")
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// number is a parameter of a page.
func number(r *http.Request, name string, or int) int {
	n, err := strconv.Atoi(r.FormValue(name))
	if err != nil || n < 1 {
		return or
	}
	return min(n, 100*max(1, or))
}
