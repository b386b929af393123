package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// arm is one way to start the service.
type arm struct{ stage, hazard string }

var arms = []arm{{"db", ""}, {"image", ""}, {"bytes", ""}, {"bytes", "stampede"}, {"bytes", "lock-write"}}

func (a arm) String() string { return strings.TrimSpace(a.stage + " " + a.hazard) }

// small is a service with a canvas of 12 × 9 pixels of which 60 are painted.
func small(t *testing.T, a arm) (*service, string) {
	t.Helper()
	c := config{stage: a.stage, hazard: a.hazard, size: size{12, 9}, pixels: 60, data: filepath.Join(t.TempDir(), "place.db")}
	s, done, err := opened(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(done)
	b, err := newBoard(t.Context(), c.size, s)
	if err != nil {
		t.Fatal(err)
	}
	srv := &service{size: c.size, board: b, pictures: c.pictures(&fromRows{c.size, s}, b)}
	web := httptest.NewServer(srv.routes())
	t.Cleanup(web.Close)
	return srv, web.URL
}

func picture(t *testing.T, base string) []byte {
	t.Helper()
	resp, err := http.Get(base + "/place.png")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "image/png" {
		t.Fatalf("status %d, %v, %q", resp.StatusCode, err, body[:min(len(body), 80)])
	}
	return body
}

func decoded(t *testing.T, body []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func paint(t *testing.T, method, base, query string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, base+"/pixel?"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(said)
}

func at(img image.Image, x, y int) color.RGBA {
	return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
}

// Every arm must send the same picture, or a comparison of them means nothing. It
// is the one in testdata, pixel by pixel: its bytes may differ by version of Go.
func TestArmsAgree(t *testing.T) {
	file, err := os.ReadFile("testdata/canvas.png")
	if err != nil {
		t.Fatal(err)
	}
	golden := decoded(t, file)
	var first []byte
	for _, a := range arms {
		t.Run(a.String(), func(t *testing.T) {
			_, base := small(t, a)
			body := picture(t, base)
			if first == nil {
				first = body
			}
			if !bytes.Equal(body, first) || !bytes.Equal(picture(t, base), first) {
				t.Error("the bytes differ from the first arm's")
			}
			img := decoded(t, body)
			if img.Bounds() != golden.Bounds() {
				t.Fatalf("bounds %v, want %v", img.Bounds(), golden.Bounds())
			}
			for y := range 9 {
				for x := range 12 {
					if got, want := at(img, x, y), at(golden, x, y); got != want {
						t.Errorf("(%d, %d) is %v, want %v", x, y, got, want)
					}
				}
			}
		})
	}
}

func TestPaintedPixelIsInTheNextPicture(t *testing.T) {
	for _, a := range arms {
		t.Run(a.String(), func(t *testing.T) {
			s, base := small(t, a)
			picture(t, base) // so that a cache has something old
			for i, method := range []string{http.MethodPost, http.MethodPut, http.MethodPost} {
				want := color.RGBA{R: uint8(i + 1), G: 2, B: 3, A: 0xff}
				if status, said := paint(t, method, base, fmt.Sprintf("x=11&y=8&color=%02x0203", i+1)); status != http.StatusNoContent {
					t.Fatalf("%s /pixel: %d %s", method, status, said)
				}
				if got := at(decoded(t, picture(t, base)), 11, 8); got != want {
					t.Errorf("(11, 8) is %v, want %v", got, want)
				}
			}
			// What is in memory is what a restart would read.
			stored, err := s.size.drawn(t.Context(), s.board.store)
			if err != nil || !bytes.Equal(stored.Pix, s.board.canvas().image.Pix) {
				t.Errorf("the store and the canvas in memory differ (%v)", err)
			}
		})
	}
}

func TestBadPixels(t *testing.T) {
	_, base := small(t, arm{"bytes", ""})
	before := picture(t, base)
	for query, says := range map[string]string{
		"x=12&y=0&color=ff0000":  "outside of the canvas of 12 × 9",
		"x=0&y=-1&color=ff0000":  "outside",
		"x=a&y=0&color=ff0000":   "whole numbers",
		"y=0&color=ff0000":       "whole numbers",
		"x=0&y=0&color=red":      "six hexadecimal digits",
		"x=0&y=0&color=fff":      "six hexadecimal digits",
		"x=0&y=0&color=ff0000ff": "six hexadecimal digits",
		"x=0&y=0&color=%2Bff000": "six hexadecimal digits",
	} {
		if status, said := paint(t, http.MethodPost, base, query); status != http.StatusBadRequest || !strings.Contains(said, says) {
			t.Errorf("%s: %d %q, want 400 and %q", query, status, said, says)
		}
	}
	if status, _ := paint(t, http.MethodDelete, base, "x=0&y=0"); status != http.StatusMethodNotAllowed {
		t.Errorf("DELETE: %d", status)
	}
	if !bytes.Equal(picture(t, base), before) {
		t.Error("a refused pixel changed the picture")
	}
}

// Each painter sees its own pixel in the very next picture, whoever else paints
// and reads.
func TestReadersAndPainters(t *testing.T) {
	for _, a := range arms {
		t.Run(a.String(), func(t *testing.T) {
			_, base := small(t, a)
			var all sync.WaitGroup
			for p := range 4 {
				all.Go(func() {
					for i := range 8 {
						want := color.RGBA{R: uint8(p), G: uint8(i), B: 9, A: 0xff}
						if status, said := paint(t, http.MethodPost, base, fmt.Sprintf("x=%d&y=3&color=%02x%02x09", p, p, i)); status != http.StatusNoContent {
							t.Errorf("%d %s", status, said)
							return
						}
						if got := at(decoded(t, picture(t, base)), p, 3); got != want {
							t.Errorf("painter %d reads %v, want its own %v", p, got, want)
						}
					}
				})
				all.Go(func() {
					for range 8 {
						if b := decoded(t, picture(t, base)).Bounds(); b != image.Rect(0, 0, 12, 9) {
							t.Errorf("bounds %v", b)
						}
					}
				})
			}
			all.Wait()
		})
	}
}

// A flight that lands late must not put an older picture in the place of a newer
// one, nor count as the picture of a newer canvas.
func TestLatestKeepsTheNewest(t *testing.T) {
	var l latest
	older := &canvas{version: 1, image: size{2, 2}.blank()}
	newer := &canvas{version: 2, image: size{3, 3}.blank()}
	if _, ok := l.of(older); ok {
		t.Error("an empty cache has a picture")
	}
	if _, err := l.make(older); err != nil {
		t.Fatal(err)
	}
	if _, ok := l.of(newer); ok {
		t.Error("an older picture passes for a newer one")
	}
	made, err := l.make(newer)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.make(older); err != nil {
		t.Fatal(err)
	}
	for _, c := range []*canvas{older, newer} {
		if body, ok := l.of(c); !ok || !bytes.Equal(body, made) {
			t.Errorf("of version %d: %v, and not the newest", c.version, ok)
		}
	}
}

func TestStoreSurvivesARestart(t *testing.T) {
	c := config{size: size{4, 4}, pixels: 4, data: filepath.Join(t.TempDir(), "a b.db")}
	for i := range 2 {
		s, done, err := opened(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		img, err := c.size.drawn(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := img.RGBAAt(3, 3), (color.RGBA{0xff, 0xff, 0xff, 0xff}); i == 0 && got != want {
			t.Errorf("unpainted pixel is %v", got)
		}
		if got, want := img.RGBAAt(3, 3), (color.RGBA{1, 2, 3, 0xff}); i == 1 && got != want {
			t.Errorf("after a restart %v, want %v", got, want)
		}
		if err := s.set(t.Context(), pixel{3, 3, color.RGBA{1, 2, 3, 0xff}}); err != nil {
			t.Fatal(err)
		}
		done()
	}
}

// A failed read is an answer of status 500, and ends with the request.
func TestStoreErrors(t *testing.T) {
	s, base := small(t, arm{"db", ""})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.board.store.set(ctx, pixel{}); err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("set with a cancelled context: %v", err)
	}
	if err := s.board.paint(ctx, pixel{}); err == nil || s.board.canvas().version != 1 {
		t.Errorf("a failed paint made version %d (%v)", s.board.canvas().version, err)
	}
	if err := s.board.store.close(); err != nil {
		t.Fatal(err)
	}
	resp, err := http.Get(base + "/place.png")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != 500 || !strings.Contains(string(body), "read the pixels") {
		t.Errorf("status %d %q", resp.StatusCode, body)
	}
	if status, said := paint(t, http.MethodPost, base, "x=0&y=0&color=ffffff"); status != 500 {
		t.Errorf("paint: %d %q", status, said)
	}
	missing := filepath.Join(t.TempDir(), "no", "such", "place.db")
	if _, _, err := opened(t.Context(), config{data: missing, size: size{1, 1}}); err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("opened %s: %v", missing, err)
	}
}

// While one client does not take its picture, the others get theirs, unless the
// lock is held for it.
func TestSlowClientHoldsUpOnlyTheHazard(t *testing.T) {
	for _, a := range []arm{{"bytes", ""}, {"bytes", "lock-write"}} {
		t.Run(a.String(), func(t *testing.T) {
			s, _ := small(t, a)
			w := &stuck{header: http.Header{}, writes: make(chan struct{}), free: make(chan struct{})}
			var all sync.WaitGroup
			all.Go(func() { _ = s.pictures.send(t.Context(), w) })
			<-w.writes
			if l, ok := s.pictures.(*lockedWrite); ok {
				if l.mu.TryLock() {
					t.Error("nobody holds the lock")
					l.mu.Unlock()
				}
			} else if err := s.pictures.send(t.Context(), discard{http.Header{}}); err != nil {
				t.Error(err)
			}
			close(w.free)
			all.Wait()
		})
	}
}

// stuck is a client that says when it is written to, and takes nothing until it
// is set free.
type stuck struct {
	header       http.Header
	writes, free chan struct{}
}

func (s *stuck) Header() http.Header { return s.header }
func (s *stuck) WriteHeader(int)     {}
func (s *stuck) Write(b []byte) (int, error) {
	close(s.writes)
	<-s.free
	return len(b), nil
}

func TestSlowlyTakesWholePictures(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan struct{}, 100)
	var all sync.WaitGroup
	all.Go(func() {
		err := serve(ctx, ln, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			write(w, make([]byte, 20_000))
			served <- struct{}{}
		}), 4096)
		if err != nil {
			t.Error(err)
		}
	})
	all.Go(func() {
		if err := slowly(ctx, "http://"+ln.Addr().String()+"/place.png", 2, 1_000_000); err != nil {
			t.Error(err)
		}
	})
	for range 5 { // more than one of each client: the connection is kept
		<-served
	}
	cancel()
	all.Wait()
}
