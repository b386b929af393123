package main

import (
	"encoding/json"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v3"
)

func TestReadInEachArm(t *testing.T) {
	for _, pick := range []string{"faker", "index", "rand"} {
		t.Run(pick, func(t *testing.T) {
			app, err := newApp(pick)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[int]bool{}
			for range 50 {
				seen[read(t, app).ID] = true
			}
			// 50 draws of 500 give fewer than 30 different ones once in far more
			// runs than there will ever be.
			if len(seen) < 30 {
				t.Errorf("50 requests gave %d products", len(seen))
			}
		})
	}
}

func read(t *testing.T, app *fiber.App) product {
	t.Helper()
	resp, err := app.Test(httptest.NewRequest("GET", "/read", nil), fiber.TestConfig{Timeout: 0})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var p product
	if err := json.Unmarshal(body, &p); err != nil || resp.StatusCode != 200 {
		t.Fatalf("status %d, %v in %.100s", resp.StatusCode, err, body)
	}
	if n := len(body); n < productBytes-500 || n > productBytes+500 {
		t.Errorf("product %d has %d bytes, want about %d", p.ID, n, productBytes)
	}
	return p
}

func TestPickersStayInRangeAndCoverIt(t *testing.T) {
	const n = 20
	for _, name := range []string{"faker", "index", "rand"} {
		next, err := newPicker(name, n)
		if err != nil {
			t.Fatal(err)
		}
		var counts [n]int
		for range 2000 {
			i := next()
			if i < 0 || i >= n {
				t.Fatalf("%s: index %d of %d", name, i, n)
			}
			counts[i]++
		}
		for i, c := range counts {
			if c == 0 {
				t.Errorf("%s: %d was never picked", name, i)
			}
		}
	}
}

func TestBadArguments(t *testing.T) {
	for _, tt := range []struct{ args, says string }{
		{"-pick dice", "give faker, index or rand"},
		{"-prefork -1", "give 0 or more"},
		{"-prefork 2 -addr 127.0.0.1:0", "an address with a port"},
		{"-prefork two", "invalid value"},
		{"now", `unexpected argument "now"`},
	} {
		var said strings.Builder
		if got := run(strings.Fields(tt.args), &said); got != 2 || !strings.Contains(said.String(), tt.says) {
			t.Errorf("%s: status %d, said %q; want %q", tt.args, got, said.String(), tt.says)
		}
	}
}
