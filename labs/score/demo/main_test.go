package main

import (
	"io"
	"strings"
	"testing"
)

func TestList(t *testing.T) {
	var out, said strings.Builder
	if got := run(t.Context(), []string{"-list"}, &out, &said); got != 0 {
		t.Fatalf("status %d: %s", got, said.String())
	}
	for _, lab := range []string{"broker", "catalog", "lookup", "place"} {
		if !strings.Contains(out.String(), lab+" ") {
			t.Errorf("%s is not in the list:\n%s", lab, out.String())
		}
	}
}

func TestUsage(t *testing.T) {
	for _, tt := range []struct {
		args, says string
		status     int
	}{
		{"", "Name one lab", usage},
		{"place broker", "Name one lab", usage},
		{"-list place", "Name one lab", usage},
		{"-fast", "not defined", usage},
		{"shop", "choose broker, catalog, lookup, place", failed},
	} {
		var said strings.Builder
		if got := run(t.Context(), strings.Fields(tt.args), io.Discard, &said); got != tt.status || !strings.Contains(said.String(), tt.says) {
			t.Errorf("%q: status %d, said %q; want %d and %q", tt.args, got, said.String(), tt.status, tt.says)
		}
	}
}
