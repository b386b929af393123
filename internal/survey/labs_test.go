package survey_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/unpark-go/unpark/internal/project"
	"github.com/unpark-go/unpark/internal/survey"
)

// TestLabs: of each service in this repository what is asked is one of its routes,
// nothing has to be filled in, and the file can be read.
func TestLabs(t *testing.T) {
	t.Parallel()
	found, err := survey.Look(context.Background(), filepath.FromSlash("../../labs"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"./broker": "/v1/shards", "./catalog": "/read", "./controls": "", "./gate": "/till/1", "./lookup": "/lookup/1", "./place": "/place.png",
	}
	for _, p := range found.Programs {
		path, ok := want[p.Package]
		if !ok {
			continue
		}
		delete(want, p.Package)
		alone := found
		alone.Programs = []survey.Program{p}
		d := alone.Draft()
		got := ""
		if d.Loaded != nil {
			got = d.Loaded.Path
		}
		if len(d.Open) > 0 || got != path || d.Address == nil || d.Address.Port != "8080" {
			t.Errorf("%s: %q of %+v, to be filled in: %q", p.Package, got, d.Address, d.Open)
		}
		if _, err := project.Read(p.Package, []byte(d.Text)); err != nil {
			t.Error(err)
		}
	}
	if len(want) > 0 {
		t.Errorf("no program: %v", want)
	}
}
