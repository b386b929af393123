package git

import (
	"context"
	"strings"
	"time"
)

// patience is how long git may take to say what a tree is of.
// Unit: time. Source: convention; a status of a tree of 100,000 files takes about a second. Test: TestSource.
const patience = 3 * time.Second

// Source says what is checked out around a folder: the first twelve digits of the commit, with a + behind them where files that git
// knows were changed. "" where that cannot be told: in no repository, or without git.
func Source(ctx context.Context, dir string) string {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	commit, err := Run(ctx, dir, "rev-parse", "--verify", "--quiet", "--short=12", "HEAD")
	if err != nil {
		return ""
	}
	changed, err := Run(ctx, dir, "status", "--porcelain", "--untracked-files=no")
	if err != nil {
		return ""
	}
	if strings.TrimSpace(changed) != "" {
		commit += "+"
	}
	return commit
}
