package web

import (
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/investigate"
)

// take makes a run of profiles and traces that a page sends, as unpark diagnose reads them.
func (s *Server) take(r *http.Request) (any, error) {
	r.Body = http.MaxBytesReader(nil, r.Body, s.largest)
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, refusal{http.StatusUnsupportedMediaType, fmt.Errorf("import: %w: files are sent as a form", err)}
	}
	folder, err := os.MkdirTemp("", "unpark-import-") // 0700
	if err != nil {
		return nil, fmt.Errorf("import: %w: free some space in the folder for temporary files", err)
	}
	defer os.RemoveAll(folder)
	files, err := receive(parts, folder)
	if err != nil {
		return nil, err
	}
	outcome, err := investigate.Diagnose(files, s.version)
	if err != nil {
		return nil, refusal{http.StatusUnprocessableEntity, errors.New(strings.ReplaceAll(err.Error(), folder+string(filepath.Separator), ""))}
	}
	name := "imported-" + time.Now().Format("20060102-150405.000")
	if _, err := outcome.Keep(filepath.Join(s.index.Root(), name)); err != nil {
		return nil, refusal{http.StatusInsufficientStorage, err}
	}
	s.look(r.Context())
	return map[string]string{"path": name}, nil
}

// receive writes the files of a form into a folder.
func receive(parts *multipart.Reader, folder string) ([]string, error) {
	var out []string
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) && len(out) > 0 {
			return out, nil
		}
		if err == nil && len(out) == mostTaken {
			err = fmt.Errorf("more than %d files", mostTaken)
		}
		if err != nil {
			return nil, unreceived(err)
		}
		name := filepath.Join(folder, fmt.Sprintf("%02d-%s", len(out)+1, plain(part.FileName())))
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = io.Copy(f, part)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			return nil, unreceived(err)
		}
		out = append(out, name)
	}
}

func unreceived(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return refusal{http.StatusRequestEntityTooLarge, fmt.Errorf("import: the files are larger than %d MB: read them with unpark diagnose", large.Limit>>20)}
	}
	if errors.Is(err, io.EOF) {
		err = errors.New("no file was sent")
	}
	return refusal{http.StatusBadRequest, fmt.Errorf("import: %w", err)}
}

// plain is a name without what could lead elsewhere; its words tell block profiles from mutex profiles.
func plain(name string) string {
	name = filepath.Base(escape.Line(name))
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '_'
	}, name)
	return strings.TrimLeft(name[max(0, len(name)-80):], ".")
}
