package bisect

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/unpark-go/unpark/internal/measure/target/git"
	"github.com/unpark-go/unpark/internal/turns"
)

// history is the commits of a search. Candidates are those that may change the program, from 1; candidate 0 is the good
// end.
type history struct {
	good       string
	commits    []git.Commit
	candidates []int // indices of commits
}

// load reads the history between two revisions; until unused is asked, every commit is a candidate.
func (s *search) load(ctx context.Context) error {
	var err error
	if s.good, err = git.Resolve(ctx, s.c.Run.WorkDir, s.c.Good); err != nil {
		return err
	}
	if s.bad, err = git.Resolve(ctx, s.c.Run.WorkDir, s.c.Bad); err != nil {
		return err
	}
	s.history.good = s.good
	if s.history.commits, err = git.History(ctx, s.c.Run.WorkDir, s.good, s.bad); err != nil {
		return fmt.Errorf("bisect GOOD %s BAD %s: %w", s.c.Good, s.c.Bad, err)
	}
	for i := range s.history.commits {
		s.history.candidates = append(s.history.candidates, i)
	}
	return nil
}

func (h *history) n() int { return len(h.candidates) }

// hash is that of a candidate.
func (h *history) hash(at int) string {
	if at == 0 {
		return h.good
	}
	return h.commits[h.candidates[at-1]].Hash
}

// name is what a reader knows a candidate by.
func (h *history) name(at int) string {
	if at == 0 {
		return fmt.Sprintf("%.12s (the good end)", h.good)
	}
	c := h.commits[h.candidates[at-1]]
	return fmt.Sprintf("%.12s (%s)", c.Hash, shortened(c.Title))
}

// shortened is the beginning of a commit's title.
func shortened(title string) string {
	const most = 50 // characters
	if r := []rune(title); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return title
}

// candidate is the place of a commit among the candidates; 0 where it is none.
func (h *history) candidate(hash string) int {
	for i, c := range h.candidates {
		if h.commits[c].Hash == hash {
			return i + 1
		}
	}
	return 0
}

// used keeps of the commits those that may change the program: that change a file which it is built from, at either end.
// The last commit stays where none does, because there is a program at the bad end.
func (h *history) used(ctx context.Context, ends ...*turns.Built) error {
	var kept []int
	uses := make([]func(file string) bool, len(ends))
	for i, end := range ends {
		sources, top, err := end.Sources(ctx)
		if err != nil {
			return err
		}
		uses[i] = func(file string) bool { return sources.Uses(filepath.Join(top, filepath.FromSlash(file))) }
	}
	for i, c := range h.commits {
		if usesAny(uses, c.Files) {
			kept = append(kept, i)
		}
	}
	if len(kept) == 0 {
		kept = []int{len(h.commits) - 1}
	}
	h.candidates = kept
	return nil
}

func usesAny(uses []func(string) bool, files []string) bool {
	for _, file := range files {
		for _, use := range uses {
			if use(file) {
				return true
			}
		}
	}
	return false
}
