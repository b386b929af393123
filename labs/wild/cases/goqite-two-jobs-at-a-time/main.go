// Letters for those that have no printer: each is a job in a queue, kept in SQLite, that has it printed and put into an
// envelope by the machines, a process of its own that takes 15 ms; then it is said when it goes to the post.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"maragu.dev/goqite"
	"maragu.dev/goqite/jobs"
	_ "modernc.org/sqlite"

	"wild/service"
)

// letter is what is to be printed.
type letter struct {
	ID   int64  `json:"id"`
	To   string `json:"to"`
	Text string `json:"text"`
}

// office prints letters.
type office struct {
	queue    *goqite.Queue
	machines string
	client   *http.Client

	next    atomic.Int64
	mu      sync.Mutex
	waiting map[int64]chan string
}

const table = `
create table goqite (
  id text primary key default ('m_' || lower(hex(randomblob(16)))),
  created text not null default (strftime('%Y-%m-%dT%H:%M:%fZ')),
  updated text not null default (strftime('%Y-%m-%dT%H:%M:%fZ')),
  queue text not null,
  body blob not null,
  timeout text not null default (strftime('%Y-%m-%dT%H:%M:%fZ')),
  received integer not null default 0,
  priority integer not null default 0
) strict;
create index goqite_queue_priority_created_idx on goqite (queue, priority desc, created);`

func open(ctx context.Context, dir, machines string) (*office, error) {
	db, err := sql.Open("sqlite", filepath.Join(dir, "queue.db")+"?_pragma=journal_mode(wal)&_pragma=synchronous(off)&_pragma=busy_timeout(5000)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, table); err != nil {
		return nil, err
	}
	o := &office{
		queue:    goqite.New(goqite.NewOpts{DB: db, Name: "letters", Timeout: 30 * time.Second}),
		machines: machines,
		client:   &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
		waiting:  map[int64]chan string{},
	}
	opts := jobs.NewRunnerOpts{Queue: o.queue, PollInterval: 2 * time.Millisecond}
	if service.After() {
		opts.Limit = 32
	}
	runner := jobs.NewRunner(opts)
	runner.Register("print", o.print)
	go runner.Start(ctx)
	return o, nil
}

// print has the machines print a letter.
func (o *office) print(ctx context.Context, body []byte) error {
	var l letter
	if err := json.Unmarshal(body, &l); err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+o.machines+"/print/"+strconv.Itoa(len(l.Text)), http.NoBody)
	if err != nil {
		return err
	}
	resp, err := o.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	post, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if to, ok := o.waiting[l.ID]; ok {
		to <- string(post)
		delete(o.waiting, l.ID)
	}
	return nil
}

var errLate = errors.New("the machines are busy")

// send has a letter printed, and says when it is posted.
func (o *office) send(ctx context.Context, l letter) (string, error) {
	l.ID = o.next.Add(1)
	body, err := json.Marshal(l)
	if err != nil {
		return "", err
	}
	done := make(chan string, 1)
	o.mu.Lock()
	o.waiting[l.ID] = done
	o.mu.Unlock()
	if _, err := jobs.Create(ctx, o.queue, "print", goqite.Message{Body: body}); err != nil {
		return "", err
	}
	select {
	case post := <-done:
		return post, nil
	case <-time.After(20 * time.Second):
		return "", errLate
	}
}

func main() {
	if os.Getenv("ROLE") == "machines" {
		machines()
		return
	}
	dir, err := os.MkdirTemp("", "letters")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	o, err := open(ctx, dir, service.Beside("machines"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /letters", func(w http.ResponseWriter, r *http.Request) {
		var l letter
		if err := json.NewDecoder(io.LimitReader(r.Body, 16<<10)).Decode(&l); err != nil || l.To == "" || l.Text == "" {
			http.Error(w, "a letter goes to an address, and has a text", http.StatusBadRequest)
			return
		}
		post, err := o.send(r.Context(), l)
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintf(w, `{"post":%q}`, post)
	})
	service.Run(mux)
}

// machines print as many letters at a time as are asked of them.
func machines() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /print/{length}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(15 * time.Millisecond)
		fmt.Fprintf(w, "at %d o'clock", 8+len(r.PathValue("length")))
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
