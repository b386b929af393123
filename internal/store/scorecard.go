package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/unpark-go/unpark"
)

const (
	// maxScores bounds what is read of a scorecard, in bytes: some 100 000 lines.
	maxScores = 64 << 20
	// maxNotices is how many broken lines are told one by one.
	maxNotices = 5

	scorecardFile = "scorecard.jsonl"
)

// ScorecardPath returns where scores go by default: unpark/scorecard.jsonl below
// $XDG_DATA_HOME, or below ~/.local/share (XDG Base Directory Specification).
func ScorecardPath() (string, error) {
	// The specification has relative paths ignored.
	if data := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, "unpark", scorecardFile), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the scorecard: %w: name it with --scorecard, or set XDG_DATA_HOME", err)
	}
	return filepath.Join(home, ".local", "share", "unpark", scorecardFile), nil
}

// AppendScore appends scores to the file at path, one line each, and makes it and
// its folder when they are not there. All lines go out in one write to a file that
// is open for appending, so that what others append at the same time stays whole,
// without a lock. A line that a crash cut short is ended first. Without scores
// nothing is touched.
func AppendScore(path string, scores []unpark.Score) error {
	if len(scores) == 0 {
		return nil
	}
	var text bytes.Buffer
	for _, s := range scores {
		if err := json.NewEncoder(&text).Encode(s); err != nil {
			return fail("encode a score for", path, err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return fail("create folder", filepath.Dir(path), err)
	}
	// Read as well: to see how the file ends.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_RDWR, fileMode)
	if err != nil {
		return fail("open scorecard", path, err)
	}
	line := text.Bytes()
	if cut(f) {
		line = append([]byte("\n"), line...)
	}
	_, err = f.Write(line)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fail("write scorecard", path, err)
	}
	return nil
}

// cut reports whether a file ends within a line. When two ask at once both may end
// it, and an empty line is no score.
func cut(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	last := make([]byte, 1)
	_, err = f.ReadAt(last, info.Size()-1)
	return err == nil && last[0] != '\n'
}

// Scores reads a scorecard: the file, or all scorecard.jsonl in a folder and below.
// Lines that are no scores are left out, each with a notice: the last one of a file
// was cut short by a crash, most likely. The error wraps fs.ErrNotExist when there
// is nothing at path.
func Scores(path string) ([]unpark.Score, []unpark.Notice, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, fail("read scorecard", path, err)
	}
	if !info.IsDir() {
		return scoresOf(path)
	}
	var scores []unpark.Score
	var notices []unpark.Notice
	files := 0
	err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != scorecardFile || !d.Type().IsRegular() {
			return err
		}
		files++
		s, n, err := scoresOf(name)
		scores, notices = append(scores, s...), append(notices, n...)
		return err
	})
	if err == nil && files == 0 {
		err = fmt.Errorf("read scorecard %s: %w: no %s in it", path, fs.ErrNotExist, scorecardFile)
	}
	return scores, notices, err
}

func scoresOf(path string) ([]unpark.Score, []unpark.Notice, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fail("read scorecard", path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxScores+1))
	switch {
	case err != nil:
		return nil, nil, fail("read scorecard", path, err)
	case len(text) > maxScores:
		return nil, nil, fmt.Errorf("read scorecard %s: larger than %d MB: give the file that unpark ab appends to", path, maxScores>>20)
	}
	scores, notices := decodeScores(path, text)
	return scores, notices, nil
}

// decodeScores reads lines; name is for the notices.
func decodeScores(name string, text []byte) ([]unpark.Score, []unpark.Notice) {
	var scores []unpark.Score
	var notices []unpark.Notice
	broken, at := 0, 0
	for line := range bytes.Lines(text) {
		at++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var s unpark.Score
		err := json.Unmarshal(line, &s)
		if err == nil && !s.Judgeable() {
			err = errors.New("no metric, no forecast with its interval, or no outcome above 0")
		}
		if err == nil {
			scores = append(scores, s)
			continue
		}
		if broken++; broken <= maxNotices {
			notices = append(notices, unpark.Notice{
				Code: "bad-score", Message: fmt.Sprintf("%s:%d is no score: %v", name, at, err), Cure: "remove the line",
			})
		}
	}
	if more := broken - maxNotices; more > 0 {
		notices = append(notices, unpark.Notice{
			Code: "bad-score", Message: fmt.Sprintf("%s: %d more lines are no scores", name, more), Cure: "give the file that unpark ab appends to",
		})
	}
	return scores, notices
}
