package main

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"testing"
)

func TestServesEachArm(t *testing.T) {
	for _, a := range arms {
		t.Run(a.String(), func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			said, says := io.Pipe()
			status := make(chan int, 1)
			go func() {
				status <- run(ctx, []string{"-addr", "127.0.0.1:0", "-stage", a.stage, "-hazard", a.hazard, "-width", "8", "-height", "8"}, says)
				says.Close()
			}()
			line := make([]byte, 200)
			n, err := said.Read(line)
			if err != nil {
				t.Fatalf("no address: %v (status %d)", err, <-status)
			}
			_, base, ok := strings.Cut(strings.TrimSpace(string(line[:n])), "serving on ")
			if !ok {
				t.Fatalf("it said %q", line[:n])
			}
			if b := decoded(t, picture(t, base)).Bounds(); b.Dx() != 8 || b.Dy() != 8 {
				t.Errorf("bounds %v", b)
			}
			checkCalibration(t, base)
			http.DefaultClient.CloseIdleConnections()
			cancel()
			if got := <-status; got != 0 {
				t.Errorf("exit status %d", got)
			}
		})
	}
}

func checkCalibration(t *testing.T, base string) {
	t.Helper()
	resp, err := http.Get(base + "/calibration")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var c calibration
	if err := json.NewDecoder(resp.Body).Decode(&c); err != nil {
		t.Fatal(err)
	}
	if c.Service <= 0 || c.Pictures < leastPictures || math.Abs(c.Full*c.Service-1) > 1e-9 || c.From >= c.Full || c.To <= c.Full {
		t.Errorf("implausible: %+v", c)
	}
}

func TestBadArguments(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	for _, tt := range []struct {
		args   string
		status int
		says   string
	}{
		{"-stage png", 2, "db, image or bytes"},
		{"-hazard fire -stage bytes", 2, "lock-write or stampede"},
		{"-hazard stampede", 2, "one of -stage bytes"},
		{"-width 0", 2, "1 to 4096"},
		{"-width 2 -height 2 -pixels 5", 2, "the canvas has 4"},
		{"-slow-rate 0", 2, "positive"},
		{"-width wide", 2, "invalid value"},
		{"now", 2, `unexpected argument "now"`},
		{"-slow ftp://nowhere", 1, "name it like"},
		{"-addr " + ln.Addr().String(), 1, "in use"},
		{"-addr 127.0.0.1:0 -data /nowhere/at/all/place.db", 1, "/nowhere/at/all/place.db"},
	} {
		var said strings.Builder
		if got := run(t.Context(), strings.Fields(tt.args), &said); got != tt.status || !strings.Contains(said.String(), tt.says) {
			t.Errorf("%s: status %d, said %q; want %d and %q", tt.args, got, said.String(), tt.status, tt.says)
		}
	}
}
