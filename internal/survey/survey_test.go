package survey_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/unpark-go/unpark/internal/project"
	"github.com/unpark-go/unpark/internal/survey"
)

var update = flag.Bool("update", false, "rewrite testdata/*.yaml")

// TestDrafts: what is written for each of the small repositories in testdata. Every
// draft can be read, or says in its first line what to fill in.
func TestDrafts(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal(err, archives)
	}
	for _, archive := range archives {
		name := strings.TrimSuffix(filepath.Base(archive), ".txtar")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := survey.Look(context.Background(), extract(t, archive))
			if err != nil {
				t.Fatal(err)
			}
			d := found.Draft()
			golden := strings.TrimSuffix(archive, ".txtar") + ".yaml"
			if *update {
				if err := os.WriteFile(golden, []byte(d.Text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d.Text != string(want) {
				t.Errorf("the draft is not %s (go test -update):\n%s", golden, d.Text)
			}
			_, err = project.Read("unpark.yaml", []byte(d.Text))
			filled := !strings.Contains(d.Text, "FILL-IN")
			if (err == nil) != filled || !filled && !strings.HasPrefix(d.Text, "# FILL IN ") {
				t.Errorf("read: %v; it begins %.60q", err, d.Text)
			}
		})
	}
}

// extract writes the files of an archive into a folder that is in no module of ours.
func extract(t *testing.T, archive string) string {
	t.Helper()
	a, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := txtar.Write(a, dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestTold: what the draft leaves out is told beside it.
func TestTold(t *testing.T) {
	t.Parallel()
	found, err := survey.Look(context.Background(), extract(t, "testdata/patterns.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	p := found.Programs[0]
	if p.Package != "./cmd/shop" || len(p.Unread) != 1 || p.Unread[0] != "api/api.go:24" || p.Pprof != "cmd/shop/main.go:6" {
		t.Errorf("%s: unread %v, pprof %s", p.Package, p.Unread, p.Pprof)
	}
	found, err = survey.Look(context.Background(), extract(t, "testdata/workspace.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if !found.Workspace || len(found.Modules) != 2 || len(found.Unread) != 1 || !strings.HasPrefix(found.Unread[0], "svc/server/broken.go:3") {
		t.Errorf("workspace: %+v", found)
	}
}

func TestNoModule(t *testing.T) {
	t.Parallel()
	_, err := survey.Look(context.Background(), t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "it is in no module: run `go mod init`") {
		t.Errorf("%v", err)
	}
}
