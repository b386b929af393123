package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// serving starts a handler as main does, and returns its host and port.
func serving(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetHTTP1(true)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Start()
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// asked is the body of an answer, with its status where that is not 200.
func asked(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Sprint(resp.StatusCode, " ", string(body))
	}
	return strings.TrimSpace(string(body))
}

// TestFixesAnswerAlike: inventory answers without a fault as it does with it, again and again.
func TestFixesAnswerAlike(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string][]string{"lock": {"1", "2", "3"}, "cpu": {price("7"), price("7"), price("7")}, "pool": {"1", "1", "1"}} {
		for _, with := range []string{fault, fault + "-fixed"} {
			base := "http://" + serving(t, newInventory(options{fault: with}))
			for i, want := range want {
				if got := asked(t, base+"/stock/7"); got != want {
					t.Errorf("%s: answer %d is %q, want %q", with, i+1, got, want)
				}
			}
		}
	}
}

// TestCheckoutAsks: checkout sells what inventory has, over HTTP and gRPC, with its fault and without.
func TestCheckoutAsks(t *testing.T) {
	t.Parallel()
	for _, o := range []options{{}, {fault: "lock"}, {grpc: true}} {
		o.inventory = serving(t, newInventory(options{fault: "pool", grpc: o.grpc}))
		client, err := newClient(o)
		if err != nil {
			t.Fatal(err)
		}
		if got := asked(t, "http://"+serving(t, newCheckout(o, client))+"/buy/7"); got != "sold one of 1" {
			t.Errorf("%+v: %q", o, got)
		}
	}
	o := options{inventory: "127.0.0.1:1"} // nothing listens there
	client, err := newClient(o)
	if err != nil {
		t.Fatal(err)
	}
	if got := asked(t, "http://"+serving(t, newCheckout(o, client))+"/buy/7"); !strings.HasPrefix(got, "502 ") {
		t.Errorf("without inventory: %q", got)
	}
}
