package exectrace_test

import (
	"bytes"
	"testing"

	"github.com/unpark-go/unpark/internal/judge/evidence"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// catalogued are the options by which the rest of unpark reads a trace of the
// cases.
func catalogued() exectrace.Options {
	return exectrace.Options{Meaning: evidence.Meaning(profile.NewCatalogue("example.com/cases"))}
}

// read reads what must be readable whole.
func read(t testing.TB, data []byte) *exectrace.Trace {
	t.Helper()
	tr, err := exectrace.Read(bytes.NewReader(data), catalogued())
	if err != nil {
		t.Fatalf("read: %v", err)
	}
	if tr.Broken != nil {
		t.Fatalf("broken: %v", tr.Broken)
	}
	if tr.Bytes != int64(len(data)) || tr.Used != tr.Bytes {
		t.Errorf("%d bytes, used %d of %d", len(data), tr.Used, tr.Bytes)
	}
	return tr
}
