package offers

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestRemoves: what is gone through at a finding is put in and taken out by users; not where there is but one of that, and not
// what is swept on the way, or looked up by its key.
func TestRemoves(t *testing.T) {
	const board = `
type Board struct{ readers map[chan int]string }

func (b *Board) Subscribe() chan int {
	ch := make(chan int)
	b.readers[ch] = ""
	return ch
}

// Evict takes a reader off.
func (b *Board) Evict(ch chan int) { delete(b.readers, ch) }

func (b *Board) Publish(v int) {
	for ch := range b.readers {
		b.send(ch, v)
	}
}

func (b *Board) send(ch chan int, v int) { ch <- v }
`
	const path = ".(*Board).send .(*Board).Publish main.main"
	for what, c := range map[string]struct {
		class            unpark.Class
		text, path, want string
	}{
		"goes through all":          {unpark.ClassCPU, board, path, "Board.Evict"},
		"waits for all":             {unpark.ClassChannel, board, path, "Board.Evict"},
		"waits for another service": {unpark.ClassDownstream, board, path, ""},
		"looks one up":              {unpark.ClassCPU, strings.Replace(board, "for ch := range b.readers {", "if ch := b.first; b.readers[ch] != \"\" {", 1), path, ""},
		"takes none out":            {unpark.ClassCPU, strings.Replace(board, "delete(b.readers, ch)", "close(ch)", 1), path, ""},
		"takes all out":             {unpark.ClassCPU, strings.Replace(board, "delete(b.readers, ch)", "for r := range b.readers {\n\t\tdelete(b.readers, r)\n\t}", 1), path, ""},
		"not by users":              {unpark.ClassCPU, strings.ReplaceAll(board, "Subscribe", "subscribe"), path, ""},
		"it sweeps":                 {unpark.ClassCPU, strings.Replace(board, "b.send(ch, v)", "b.send(ch, v)\n\t\tdelete(b.readers, ch)", 1), path, ""},
	} {
		if got := told(t, unpark.OfferRemove, c.class, c.text, c.path); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
	// What holds a lock is on no stack of those that wait for it.
	holder := stack(".(*Board).Publish")[0]
	f := unpark.Finding{Class: unpark.ClassLock, Path: stack("sync.(*Mutex).Lock .(*Board).Subscribe main.main"), Holder: &holder}
	if got := names(of(t, board).For([]unpark.Finding{f}), unpark.OfferRemove); got != "Board.Evict" {
		t.Errorf("of a holder: %q", got)
	}
	// Nor is it known what holds it: what puts in waits, and what goes through all takes a lock.
	f.Holder = nil
	for text, want := range map[string]string{board: "", strings.Replace(board, "for ch := range", "b.mu.RLock()\n\tfor ch := range", 1): "Board.Evict"} {
		if got := names(of(t, text).For([]unpark.Finding{f}), unpark.OfferRemove); got != want {
			t.Errorf("of what waits: %q, want %q", got, want)
		}
	}
}

// TestSingle: of a call that gets all of something the ones that get one of it, by what they say or are named.
func TestSingle(t *testing.T) {
	const client = `
type Client struct{}

func (c *Client) AllFlagsState(user User) State { return c.state() }

// BoolVariation returns the value of a boolean flag.
func (c *Client) BoolVariation(key string, user User) bool { return false }

// SetOverride sets a flag.
func (c *Client) SetOverride(key string) {}

// Identify is for a user, whose flags are sent.
func (c *Client) Identify(key string) {}

// Status says whether a flag is known.
func (c *Client) Status() bool { return false }

func (c *Client) FindAll(q string) []Row { return nil }

func (c *Client) FindOne(q string) Row { return nil }

func (c *Client) FindLater(q string) Row { return nil }

func (c *Client) Rows() []Row { return nil }
`
	for call, want := range map[string]string{"AllFlagsState": "Client.BoolVariation", "FindAll": "Client.FindOne", "Rows": "", "FindOne": ""} {
		if got := told(t, unpark.OfferSingle, unpark.ClassCPU, client, "fmt.Sprint .(*Client)."+call+" main.main"); got != want {
			t.Errorf("%s: %q, want %q", call, got, want)
		}
	}
}

// TestReusing: a longer call that by its documentation uses again what the shorter makes for each.
func TestReusing(t *testing.T) {
	const signer = `
type Signer struct{}

// Sign signs one URL.
func (s Signer) Sign(url string) string { return "" }

// SignWithPolicy signs a URL. Use it for reusing policies between many URLs.
func (s Signer) SignWithPolicy(url string, p *Policy) string { return "" }

// SignLater signs a URL, later.
func (s Signer) SignLater(url string) string { return "" }

// SignShared signs. It must not be reused.
func (s Signer) SignShared(url string) string { return "" }

// SignStream signs many. Use it for reusing a channel.
func (s Signer) SignStream(urls chan string) {}

// SignAgain signs a URL. What is reused by the reader must be copied.
func (s Signer) SignAgain(url string) string { return "" }

// Resign reuses what was signed.
func (s Signer) Resign(url string) string { return "" }
`
	const path = "crypto/rsa.SignPKCS1v15 .Signer.Sign main.main"
	if got := told(t, unpark.OfferInstead, unpark.ClassCPU, signer, path); got != "Signer.SignWithPolicy" {
		t.Errorf("calls are %q", got)
	}
	if got := told(t, unpark.OfferInstead, unpark.ClassDownstream, signer, path); got != "" {
		t.Errorf("of a wait they are %q", got)
	}
}

// TestEnded: what is left behind is ended by a method that does something to the channel at which it waits; not by another method, and not where what is
// found is no leak.
func TestEnded(t *testing.T) {
	const feed = `
type Feed struct{ done, news chan int }

func NewFeed() *Feed { return nil }

func (f *Feed) run() {
	for {
		select {
		case <-f.done:
			return
		case v := <-f.news:
			use(v)
		}
	}
}

// Stop ends it.
func (f *Feed) Stop() { close(f.done) }

func (f *Feed) Send(v int) { f.news <- v }
`
	for what, c := range map[string]struct {
		class      unpark.Class
		text, want string
	}{
		"it is closed":          {unpark.ClassLeak, feed, "Feed.Stop"},
		"it is no leak":         {unpark.ClassChannel, feed, ""},
		"another one is":        {unpark.ClassLeak, strings.Replace(feed, "close(f.done)", "close(f.other)", 1), ""},
		"nothing is there":      {unpark.ClassLeak, strings.Replace(feed, "Stop()", "Pause()", 1), ""},
		"by a context's":        {unpark.ClassLeak, strings.NewReplacer("<-f.done", "<-f.ctx.Done()", "close(f.done)", "f.cancel()").Replace(feed), "Feed.Stop"},
		"nothing to do with it": {unpark.ClassLeak, strings.Replace(feed, "close(f.done)", "f.cancel()", 1), ""},
	} {
		if got := told(t, unpark.OfferRemove, c.class, c.text, ".(*Feed).run"); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}
