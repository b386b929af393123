// Package chromium drives a headless Chromium in tests. Begin at [Start].
package chromium

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// Browser is a headless chromium that is driven over its debugging pipe: file
// descriptors 3 and 4, messages of JSON that end in a zero byte.
type Browser struct {
	in      *os.File
	mu      sync.Mutex
	next    int
	session string
	waiting map[int]chan answer
	closed  chan struct{}
}

type answer struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// Start starts chromium, or skips the test when there is none.
func Start(t *testing.T) *Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("browser tests are not short")
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("CI is true and there is no chromium on PATH")
		}
		t.Skip("no chromium on PATH: the page is not tested in a browser")
	}
	toChild, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, fromChild, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--user-data-dir="+t.TempDir(), "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{toChild, fromChild}
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	_ = toChild.Close()
	_ = fromChild.Close()
	b := &Browser{in: in, waiting: map[int]chan answer{}, closed: make(chan struct{})}
	go b.read(out)
	t.Cleanup(func() {
		_, _ = b.call("Browser.close", nil)
		done := make(chan struct{})
		go func() { _ = cmd.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
		}
		cancel()
		<-done
		_ = in.Close()
	})
	var target struct {
		TargetID  string `json:"targetId"`
		SessionID string `json:"sessionId"`
	}
	b.Must(t, "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	b.Must(t, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &target)
	b.mu.Lock()
	b.session = target.SessionID
	b.mu.Unlock()
	b.Must(t, "Page.enable", nil, nil)
	return b
}

func (b *Browser) read(out *os.File) {
	defer close(b.closed)
	r := bufio.NewReader(out)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m struct {
			ID int `json:"id"`
			answer
		}
		if json.Unmarshal(text[:len(text)-1], &m) != nil || m.ID == 0 {
			continue
		}
		b.mu.Lock()
		c := b.waiting[m.ID]
		delete(b.waiting, m.ID)
		b.mu.Unlock()
		if c != nil {
			c <- m.answer
		}
	}
}

func (b *Browser) call(method string, params any) (json.RawMessage, error) {
	b.mu.Lock()
	b.next++
	c := make(chan answer, 1)
	b.waiting[b.next] = c
	m := map[string]any{"id": b.next, "method": method}
	if params != nil {
		m["params"] = params
	}
	if b.session != "" && method != "Browser.close" {
		m["sessionId"] = b.session
	}
	text, err := json.Marshal(m)
	if err == nil {
		_, err = b.in.Write(append(text, 0))
	}
	b.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case a := <-c:
		switch {
		case a.Error == nil:
		case strings.Contains(a.Error.Message, "target navigated"), strings.Contains(a.Error.Message, "context was destroyed"),
			strings.Contains(a.Error.Message, "Cannot find default execution context"):
			return nil, fmt.Errorf("%s: %w: %s", method, errLeft, a.Error.Message)
		default:
			return nil, errors.New(method + ": " + a.Error.Message)
		}
		return a.Result, nil
	case <-b.closed:
		return nil, errors.New(method + ": chromium ended")
	case <-time.After(60 * time.Second):
		return nil, errors.New(method + ": no answer in 60 s")
	}
}

// Must calls a method of the debugging protocol.
func (b *Browser) Must(t *testing.T, method string, params, into any) {
	t.Helper()
	raw, err := b.call(method, params)
	if err == nil && into != nil {
		err = json.Unmarshal(raw, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Eval returns the value of a JavaScript expression; promises are awaited.
func (b *Browser) Eval(t *testing.T, expression string) any {
	t.Helper()
	v, err := b.evaluate(expression)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (b *Browser) evaluate(expression string) (any, error) {
	var r struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text      string          `json:"text"`
			Exception json.RawMessage `json:"exception"`
		} `json:"exceptionDetails"`
	}
	raw, err := b.call("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true})
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, err
	}
	if r.Exception != nil {
		return nil, fmt.Errorf("%s: %s %s", expression, r.Exception.Text, r.Exception.Exception)
	}
	return r.Result.Value, nil
}

// errLeft is what chromium answers when the page on which an expression was to be evaluated gives way to the next one.
var errLeft = errors.New("the page was left")

// Until waits for an expression to become true, on this page or on one that follows it.
func (b *Browser) Until(t *testing.T, expression string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		v, err := b.evaluate(expression)
		if err != nil && !errors.Is(err, errLeft) {
			t.Fatal(err)
		}
		if v == true {
			return
		}
	}
	t.Fatalf("never true: %s\ndata: %v\nstatus: %v", expression, b.Eval(t, `JSON.stringify({...document.querySelector('[data-ms]')?.dataset})`),
		b.Eval(t, `document.querySelector('.status')?.textContent`))
}

// Press types one key, which may make the page give way to another.
func (b *Browser) Press(t *testing.T, key string) {
	t.Helper()
	text := ""
	if len(key) == 1 {
		text = key
	}
	for _, event := range []map[string]any{{"type": "keyDown", "key": key, "text": text}, {"type": "keyUp", "key": key}} {
		if _, err := b.call("Input.dispatchKeyEvent", event); err != nil && !errors.Is(err, errLeft) {
			t.Fatal(err)
		}
	}
}

// Leave evaluates what makes the page give way to another: its answer may be that it did.
func (b *Browser) Leave(t *testing.T, expression string) {
	t.Helper()
	if _, err := b.evaluate(expression); err != nil && !errors.Is(err, errLeft) {
		t.Fatal(err)
	}
}

// Click presses the mouse at a place relative to an element.
func (b *Browser) Click(t *testing.T, selector string, dx, dy float64) {
	t.Helper()
	b.Eval(t, fmt.Sprintf(`document.querySelector(%q).scrollIntoView({block: 'start', behavior: 'instant'})`, selector))
	box := b.Eval(t, fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.left, r.top] })()`, selector)).([]any)
	at := map[string]any{"x": box[0].(float64) + dx, "y": box[1].(float64) + dy, "button": "left", "clickCount": 1}
	for _, what := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		at["type"] = what
		if what == "mouseMoved" {
			at["button"] = "none"
		} else {
			at["button"] = "left"
		}
		b.Must(t, "Input.dispatchMouseEvent", at, nil)
	}
}

// Text returns what an element says; "" where there is none.
func (b *Browser) Text(t *testing.T, selector string) string {
	t.Helper()
	v, _ := b.Eval(t, fmt.Sprintf(`document.querySelector(%q)?.textContent ?? ''`, selector)).(string)
	return v
}

// Visit opens an address in a window of a size, in CSS pixels.
func (b *Browser) Visit(t *testing.T, address string, width, height int) {
	t.Helper()
	b.Must(t, "Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.Must(t, "Page.navigate", map[string]any{"url": "about:blank"}, nil)
	b.Must(t, "Page.navigate", map[string]any{"url": address}, nil)
	b.Until(t, `document.readyState === 'complete' && location.protocol !== 'about:'`)
}
