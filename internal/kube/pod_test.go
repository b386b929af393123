package kube

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"testing"
	"time"

	"github.com/unpark-go/unpark/internal/kube/parcel"
)

// command is what the coordinator's pod runs in tests: it writes a run directory, at once or
// when it is interrupted.
func command() {
	dir := os.Getenv("UNPARK_KUBE_TEST_COMMAND")
	name := dir
	if os.Args[1] == "wait" {
		interrupted := make(chan os.Signal, 1)
		signal.Notify(interrupted, os.Interrupt)
		fmt.Fprintln(os.Stderr, "waiting")
		<-interrupted
		name += ".partial"
	}
	if os.Args[1] != "nothing" {
		_ = os.MkdirAll(name, 0o700)
		_ = os.WriteFile(filepath.Join(name, "run.json"), []byte("{}"), 0o600)
	}
	fmt.Fprintln(os.Stderr, "unpark: it ended")
	os.Exit(4)
}

// served runs a server whose command gets one argument.
func served(t *testing.T, argument string) (dir string, log *syncBuffer) {
	t.Helper()
	dir, err := os.MkdirTemp("", "k") // short: a socket is in it
	check(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	run := filepath.Join(dir, "run")
	t.Setenv("UNPARK_KUBE_TEST_COMMAND", run)
	text, err := encode(orders{Args: []string{argument}, Dir: run})
	check(t, err)
	file := filepath.Join(dir, "orders.json")
	check(t, os.WriteFile(file, []byte(text), 0o600))
	self, err := os.Executable()
	check(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	log = &syncBuffer{}
	go func() {
		ended <- Serve(ctx, Server{Orders: file, Ready: "127.0.0.1:0", Command: self, Version: "v", Log: log})
	}()
	t.Cleanup(func() {
		cancel()
		check(t, <-ended)
	})
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, socketName)); err == nil {
			return dir, log
		}
		if time.Now().After(deadline) {
			t.Fatal("there is no socket")
		}
	}
}

func take(t *testing.T, dir string, interrupt bool) (parcel.End, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var b bytes.Buffer
	check(t, Take(ctx, dir, interrupt, &b))
	out := filepath.Join(t.TempDir(), "out")
	end, err := parcel.Unpack(&b, out)
	check(t, err)
	return end, out
}

func TestServe(t *testing.T) {
	dir, log := served(t, "run")
	for range 2 { // a transfer that broke off is asked for again
		end, out := take(t, dir, false)
		if end.Status != 4 || end.Said != "it ended" || end.Partial || end.Files != 1 || end.Version != "v" {
			t.Errorf("end %+v", end)
		}
		if _, err := os.Stat(filepath.Join(out, "run.json")); err != nil {
			t.Error(err)
		}
	}
	if log.String() != "unpark: it ended\n" {
		t.Errorf("log %q", log)
	}
}

func TestServeInterrupted(t *testing.T) {
	dir, log := served(t, "wait")
	for deadline := time.Now().Add(20 * time.Second); log.String() == ""; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the command does not begin")
		}
	}
	if end, _ := take(t, dir, true); !end.Partial || end.Files != 1 {
		t.Errorf("end %+v", end)
	}
}

func TestServeNothing(t *testing.T) {
	dir, _ := served(t, "nothing")
	if end, _ := take(t, dir, false); end.Files != 0 || end.Status != 4 {
		t.Errorf("end %+v", end)
	}
}

func TestServeWithoutOrders(t *testing.T) {
	err := Serve(context.Background(), Server{Orders: filepath.Join(t.TempDir(), "none"), Log: io.Discard})
	wants(t, err, "read the orders of the run")
}
