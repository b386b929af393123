package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// tree writes files, given by name and text, into a new directory.
func tree(t *testing.T, name string, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for file, text := range files {
		at := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func whole(t testing.TB) string {
	t.Helper()
	text, err := json.Marshal(unpark.Document(sample()))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func files(r unpark.Run) []string {
	var out []string
	for _, w := range r.Windows {
		for _, p := range w.Profiles {
			out = append(out, p.File+" "+string(p.State))
		}
	}
	return out
}

func TestRecovery(t *testing.T) {
	disk := map[string]string{
		"window-02/8/mutex.pb.gz":       "x",
		"window-02/8/block.pb.gz":       "",
		"window-01/10/cpu.pb.gz":        "x",
		"window-01/7/cpu.pb.gz":         "x",
		"window-02/-2/cpu.pb.gz":        "x", // a process that has no number of its own
		"window-01/7/trace.out":         "x",
		"window-01/7/trace-01.out":      "x",
		"window-01/7/notes.txt":         "x",
		"window-01/latency.hgrm":        "x",
		"window-01/seven/cpu.pb.gz":     "x",
		"window-01/7/deeper/cpu.pb.gz":  "x",
		"elsewhere/7/cpu.pb.gz":         "x",
		"window-100/7/goroutine.pb.gz":  "x",
		"window-99/7/threadcreate.json": "x",
	}
	all := []string{
		"window-01/7/cpu.pb.gz present", "window-01/7/trace-01.out present", "window-01/7/trace.out present", "window-01/10/cpu.pb.gz present",
		"window-02/-2/cpu.pb.gz present", "window-02/8/block.pb.gz bad", "window-02/8/mutex.pb.gz present", "window-100/7/goroutine.pb.gz present",
	}
	with := func(document string) map[string]string {
		out := map[string]string{"run.json": document}
		for k, v := range disk {
			out[k] = v
		}
		return out
	}
	for _, test := range []struct {
		name, partial string
		files         map[string]string
	}{
		{"missing", "is missing", disk},
		{"empty", "cut short", with("")},
		{"cut", "cut short", with(whole(t)[:200])},
		{"older", "stopped", with(strings.Replace(whole(t), `"void"`, `"partial":"stopped","void"`, 1))},
	} {
		t.Run(test.name, func(t *testing.T) {
			run, _, err := Open(tree(t, "r.partial", test.files))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(run.Partial, test.partial) {
				t.Errorf("partial %q, want %q in it", run.Partial, test.partial)
			}
			if got := files(run); !slices.Equal(got, all) {
				t.Errorf("profiles\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(all, "\n"))
			}
			if len(run.Windows) != 3 || run.ID == "" || run.Schema != unpark.SchemaRun {
				t.Errorf("%d windows, id %q, schema %q", len(run.Windows), run.ID, run.Schema)
			}
		})
	}
}

func TestNotRenamed(t *testing.T) {
	run, _, err := Open(tree(t, "r.partial", map[string]string{"run.json": whole(t)}))
	if err != nil || !strings.Contains(run.Partial, "not renamed") {
		t.Errorf("partial %q, %v", run.Partial, err)
	}
}

func TestOpenErrors(t *testing.T) {
	file := filepath.Join(tree(t, "d", map[string]string{"cpu.pb.gz": "x"}), "cpu.pb.gz")
	for _, test := range []struct {
		name, dir string
		want      []string
	}{
		{"missing", filepath.Join(t.TempDir(), "no"), []string{"no such file", "does not exist", "unpark run printed"}},
		{"a profile", file, []string{"unpark diagnose"}},
		{"an empty directory", t.TempDir(), []string{"neither run.json nor a profile"}},
		{"not JSON", tree(t, "r", map[string]string{"run.json": "<html>"}), []string{"run.json: byte 1", "invalid character"}},
		{"no schema", tree(t, "r", map[string]string{"run.json": "{}"}), []string{"not a run document"}},
		{"newer", tree(t, "r", map[string]string{"run.json": `{"schema":"unpark.run/v9"}`}), []string{`"unpark.run/v9"`, "newer one"}},
		{"wrong type", tree(t, "r", map[string]string{"run.json": `{"schema":"unpark.run/v1","windows":7}`}), []string{`"windows"`, "number"}},
		{"run.json is a folder", tree(t, "r", map[string]string{"run.json/x": ""}), []string{"run.json", "no regular file"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := Open(test.dir)
			if err == nil {
				t.Fatal("no error")
			}
			if test.name == "missing" {
				if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), test.want[2]) {
					t.Errorf("got %v", err)
				}
				return
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want %q in it", err, want)
				}
			}
		})
	}
}

func TestTooLarge(t *testing.T) {
	_, err := decode(io.MultiReader(strings.NewReader(`{"schema":"`), endless{}))
	if err == nil || !strings.Contains(err.Error(), "64 MB") {
		t.Errorf("got %v", err)
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

func TestProfilesOutsideAreNotFollowed(t *testing.T) {
	r := sample()
	r.Windows[0].Profiles = []unpark.ProfileFile{
		{File: "../../etc/passwd", State: unpark.Present}, {File: "/etc/passwd"}, {File: "window-01/7/cpu.pb.gz", State: unpark.Present},
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	run, _, err := Open(tree(t, "r", map[string]string{"run.json": string(text)}))
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range run.Windows[0].Profiles {
		if outside := i < 2; outside != (p.State == unpark.Bad && p.File == "" && p.Note != "") {
			t.Errorf("profile %d: %+v", i, p)
		}
	}
}

func TestUnreadableFolderIsAWarning(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads every folder")
	}
	dir := tree(t, "r.partial", map[string]string{"window-01/7/cpu.pb.gz": "x", "window-02/7/cpu.pb.gz": "x"})
	if err := os.Chmod(filepath.Join(dir, "window-02"), 0); err != nil {
		t.Fatal(err)
	}
	run, _, err := Open(dir)
	if err != nil || len(run.Warnings) != 1 || len(files(run)) != 1 {
		t.Errorf("%v %v %v", run.Warnings, files(run), err)
	}
}

func FuzzDecode(f *testing.F) {
	text := whole(f)
	f.Add([]byte(text))
	f.Add([]byte(text[:len(text)/2]))
	f.Add([]byte(`{"schema":"unpark.run/v1","windows":[{"load":null,"profiles":[{"file":"../x"}]}]}`))
	f.Add([]byte(`{"schema":"unpark.run/v1","findings":[{"cost":{"cores":{"value":null}}}]}`))
	f.Add([]byte(`{"schema":"unpark.run/v2"}`))
	f.Add([]byte(`{"schema":1}`))
	f.Add([]byte(`[[[[[[[[`))
	f.Add([]byte{0x1f, 0x8b, 8})
	f.Fuzz(func(t *testing.T, text []byte) {
		run, err := decode(bytes.NewReader(text))
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without words")
			}
			return
		}
		confine(&run)
		again, err := json.Marshal(unpark.Document(run))
		if err != nil {
			t.Fatalf("what was decoded cannot be encoded: %v", err)
		}
		if _, err := decode(bytes.NewReader(again)); err != nil {
			t.Fatalf("what was encoded cannot be decoded: %v", err)
		}
	})
}
