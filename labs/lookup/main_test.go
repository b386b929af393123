package main

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestServesEachArm(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
	}{
		{"slow", nil},
		{"fixed", []string{"-fixed"}},
		{"lock fixed", []string{"-fixed", "-garbage"}},
		{"mutex", []string{"-cache", "mutex"}},
		{"rwmutex", []string{"-cache", "rwmutex"}},
		{"sharded", []string{"-cache", "sharded", "-middleware"}},
		{"copy", []string{"-cache", "copy", "-rebuild", "2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			said, says := io.Pipe()
			status := make(chan int, 1)
			go func() {
				status <- run(ctx, append([]string{"-addr", "127.0.0.1:0", "-hold", "100us", "-keys", "5"}, tt.args...), says)
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
			client := http.Client{Timeout: 30 * time.Second}
			resp, err := client.Get(base + "/lookup/4")
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || !strings.Contains(string(body), `"key":"sku-0004"`) {
				t.Errorf("answer %d %q, %v", resp.StatusCode, body, err)
			}
			cancel()
			if got := <-status; got != 0 {
				t.Errorf("exit status %d", got)
			}
		})
	}
}

func TestBadArguments(t *testing.T) {
	for _, tt := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"-hold", "soon"}, 2, "invalid value"},
		{[]string{"-hold", "-1ms"}, 1, "negative"},
		{[]string{"now"}, 2, `unexpected argument "now"`},
		{[]string{"-cache", "none"}, 2, "mutex, rwmutex, sharded or copy"},
		{[]string{"-cache", "copy", "-writes", "2"}, 2, "a share from 0 to 1"},
		{[]string{"-writes", "0.5"}, 2, "are of -cache"},
	} {
		var said strings.Builder
		if got := run(t.Context(), tt.args, &said); got != tt.status || !strings.Contains(said.String(), tt.says) {
			t.Errorf("%v: status %d, said %q; want %d and %q", tt.args, got, said.String(), tt.status, tt.says)
		}
	}
}
