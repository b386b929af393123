package web

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/index"
)

// form posts files to the import.
func (s *site) form(t *testing.T, files map[string][]byte) (int, string) {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for name, text := range files {
		p, err := w.CreateFormFile("file", name)
		if err == nil {
			_, err = p.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	r, _ := http.NewRequest(http.MethodPost, s.url+"/api/import", &body)
	r.Header.Set("Content-Type", w.FormDataContentType())
	r.Header.Set("Origin", s.url)
	got, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got.StatusCode, string(text)
}

func TestImport(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	root := t.TempDir()
	s := serve(t, root)
	var heap bytes.Buffer
	if err := pprof.WriteHeapProfile(&heap); err != nil {
		t.Fatal(err)
	}
	status, text := s.form(t, map[string][]byte{"../../he<ap>.pb.gz": heap.Bytes(), "noise.prof": []byte("noise")})
	if status != http.StatusOK || !strings.Contains(text, `"path":"imported-`) {
		t.Fatalf("%d %s", status, text)
	}
	var list struct{ Rows []index.Row }
	s.json(t, "/api/runs", &list)
	if len(list.Rows) != 1 || list.Rows[0].State != index.Whole {
		t.Fatalf("rows %+v", list.Rows)
	}
	path := list.Rows[0].Path
	if status, text := s.get(t, "/run/"+path); status != 200 || !strings.Contains(text, `data-graph="heap"`) || !strings.Contains(text, "noise.prof") {
		t.Errorf("the run: %d", status)
	}
	files, _ := filepath.Glob(filepath.Join(root, path, "files", "*"))
	if len(files) != 1 || !strings.HasSuffix(files[0], "he_ap_.pb.gz") {
		t.Errorf("files %v", files)
	}
	s.largest = 1 << 20
	for name, tt := range map[string]struct {
		files  map[string][]byte
		status int
		says   string
	}{
		"no profile": {map[string][]byte{"a.txt": []byte("no profile")}, 422, "no profile in it could be read"},
		"nothing":    {map[string][]byte{}, 400, "no file was sent"},
		"too large":  {map[string][]byte{"a.pb": make([]byte, 2<<20)}, 413, "larger than 1 MB"},
		"empty":      {map[string][]byte{"": {}}, 422, "no profile"},
	} {
		if status, text := s.form(t, tt.files); status != tt.status || !strings.Contains(text, tt.says) || strings.Contains(text, temporary) {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	left, _ := os.ReadDir(root)
	files, _ = filepath.Glob(filepath.Join(temporary, "unpark-import-*"))
	if len(left) != 1 || len(files) != 0 {
		t.Errorf("left behind: %v, %v", left, files)
	}
}
