package verdict

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/report"
)

var (
	collect = flag.String("collect", "", "take the runs of this `folder` (labs/score or labs/wild, -keep -work) as recordings")
	update  = flag.Bool("update", false, "write what the verdicts are now")
)

// recordings are runs of labs, one archive each: profiles, a short trace and the run
// document, so that the verdict can be reached anew without a machine to measure on.
const recordings = "testdata/recorded"

// largest is how many bytes a recording may have. Of a trace that is larger, the run
// is kept without it.
const largest = 200_000

// TestRecordedVerdicts reaches the verdict of every recorded run anew: its document is,
// byte for byte, the one beside it, and what matters of it stands in verdicts.txt. A
// change of structure changes neither; a change of behaviour shows here what it changes.
//
//	HOME=/tmp/home GOFLAGS=-trimpath go run ./labs/score -keep -repeats 1 -all -window 2s -trace 200ms -work /tmp/score
//	go test ./labs/verdict -run TestRecordedVerdicts -collect /tmp/score/runs
//	go test ./labs/verdict -run TestRecordedVerdicts -update
//
// Those named wild are of labs/wild, one for each fault that was judged wrongly once:
//
//	HOME=/tmp/home go run ./labs/wild -keep -window 2s -trace 200ms -work /tmp/wild -case NAME
func TestRecordedVerdicts(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the documents were made on amd64: other processors fuse a multiplication and an addition, and round once less")
	}
	if *collect != "" {
		collectRuns(t, *collect)
	}
	files, err := filepath.Glob(filepath.Join(recordings, "*.zip"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	var verdicts strings.Builder
	runs := map[string]unpark.Run{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".zip")
		run := reached(t, file)
		var doc bytes.Buffer
		if err := report.JSON(&doc, run); err != nil {
			t.Fatal(err)
		}
		same(t, filepath.Join(recordings, name+".json.gz"), doc.Bytes())
		doc.Reset()
		if err := report.Text(&doc, run); err != nil {
			t.Fatal(err)
		}
		same(t, filepath.Join(recordings, name+".txt"), doc.Bytes())
		fmt.Fprintf(&verdicts, "%s\n%s", name, summary(run))
		runs[name] = run
	}
	for _, pair := range [][2]string{{"lookup-slow", "lookup-fixed"}, {"place-db", "place-image"}, {"catalog-faker", "catalog-index"}, {"broker-mutex", "broker-coalesce"}} {
		before, after := runs[pair[0]], runs[pair[1]]
		if before.ID == "" || after.ID == "" {
			t.Fatalf("%v are not both recorded", pair)
		}
		var doc bytes.Buffer
		if err := report.JSON(&doc, compare.Runs(before, after)); err != nil {
			t.Fatal(err)
		}
		same(t, filepath.Join(recordings, pair[0]+"_"+pair[1]+".json.gz"), doc.Bytes())
	}
	same(t, filepath.Join(recordings, "verdicts.txt"), []byte(verdicts.String()))
}

// reached unpacks a recording and diagnoses it.
func reached(t *testing.T, file string) unpark.Run {
	t.Helper()
	z, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	dir := t.TempDir()
	if err := os.CopyFS(dir, z); err != nil {
		t.Fatal(err)
	}
	o, err := investigate.Diagnose([]string{dir}, unpark.Version{})
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return o.Run
}

// summary is what of a verdict no change of structure or wording may change.
func summary(run unpark.Run) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  limit %s\n", run.Limit.Kind)
	for _, n := range run.Void {
		fmt.Fprintf(&b, "  void %s\n", n.Code)
	}
	for _, f := range run.Findings {
		p := f.Prediction
		fmt.Fprintf(&b, "  %s %s %s: %s; throughput %s, p50 %s, p99 %s, then %s\n",
			f.Rule, f.Class, f.Confidence, f.Site.Function, ratio(p.Throughput), ratio(p.P50), ratio(p.P99), p.NextLimit)
	}
	return b.String()
}

func ratio(q unpark.Quantity) string {
	v, ok := q.Value.Get()
	if low, known := q.Low.Get(); known && !ok {
		return fmt.Sprintf("at least %.4g", low)
	}
	if !ok {
		return "unknown"
	}
	return fmt.Sprintf("%.4g (%.4g-%.4g)", v, q.Low.Or(v), q.High.Or(v))
}

// same holds text against a file that was written before, compressed where its name
// says so.
func same(t *testing.T, file string, got []byte) {
	t.Helper()
	packed := strings.HasSuffix(file, ".gz")
	if *update {
		data := got
		if packed {
			data = zipped(t, got)
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err == nil && packed {
		want, err = unzipped(want)
	}
	if err != nil {
		t.Errorf("%v: write it with -update", err)
		return
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s: %s", file, difference(string(want), string(got)))
	}
}

func unzipped(data []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

func zipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// difference names the first lines that differ.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	n := 0
	for n < len(w) && n < len(g) && w[n] == g[n] {
		n++
	}
	at := func(lines []string) string { return strings.Join(lines[min(n, len(lines)):min(n+4, len(lines))], "\n") }
	return fmt.Sprintf("line %d\n--- is\n%s\n--- was\n%s", n+1, at(g), at(w))
}

// collectRuns takes the runs of a folder as recordings, in place of those of the same names.
func collectRuns(t *testing.T, folder string) {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(folder, "*", "run.json"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no runs in %s: %v", folder, err)
	}
	for _, file := range dirs {
		dir := filepath.Dir(file)
		name := strings.TrimSuffix(filepath.Base(dir), "-1")
		packed := pack(t, dir, "run.json", ".pb.gz", ".jsonl", "trace.out")
		if len(packed) > largest {
			forgetTraces(t, file)
			packed = pack(t, dir, "run.json", ".pb.gz", ".jsonl")
		}
		if len(packed) > largest {
			t.Logf("%s is left out: %d bytes", name, len(packed))
			continue
		}
		if err := os.WriteFile(filepath.Join(recordings, name+".zip"), packed, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	*update = true
}

// forgetTraces makes a run document one of a run that took no trace.
func forgetTraces(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var run unpark.Run
	if err := json.Unmarshal(data, &run); err != nil {
		t.Fatal(err)
	}
	for i := range run.Windows {
		run.Windows[i].Profiles = slices.DeleteFunc(run.Windows[i].Profiles, func(f unpark.ProfileFile) bool { return f.Kind == unpark.KindTrace })
	}
	var doc bytes.Buffer
	if err := report.JSON(&doc, run); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, doc.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// pack puts files of a run directory whose names end so into an archive.
func pack(t *testing.T, dir string, endings ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(p, e) }) {
			return err
		}
		name, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		w, err := z.Create(filepath.ToSlash(name))
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	})
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
