package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/store/bucket"
)

func newStore(s streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "store",
		Short: "Runs in a bucket: list, push, pull, remove",
		Long: `Keep runs in a bucket of Amazon S3 or of another server that speaks S3. A run is there as the
directory that it is, and is visible when all of it is there.

  unpark run --store s3://perf/nightly --pkg ./cmd/server     measured here, kept there
  unpark store ls s3://perf/nightly
  unpark report s3://perf/nightly/20260102-150405.000         also diagnose, compare, check, export
  unpark ui s3://perf/nightly

Credentials are those of AWS: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile of
~/.aws/credentials (AWS_PROFILE). Another server is named in the address, as
s3://perf/nightly?endpoint=https://minio.example:9000, or in UNPARK_S3_ENDPOINT; the region by
?region= or AWS_REGION; docs/store.md tells the rest.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newStoreLs(s), newStorePush(s), newStorePull(s), newStoreRm(s), newStoreClean(s))
	return c
}

func newStoreLs(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "ls s3://BUCKET/PREFIX",
		Short: "List the runs of a store, and uploads that have not ended",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			st, err := bucket.Open(args[0])
			if err != nil {
				return err
			}
			runs, err := st.Runs(c.Context())
			if err != nil {
				return err
			}
			for _, e := range runs {
				state := ""
				if e.Unfinished {
					state = "  upload has not ended: push it again, or unpark store clean"
				}
				fmt.Fprintf(s.out, "%s  %s%s\n", e.Pushed.UTC().Format("2006-01-02 15:04"), escape.Line(e.Run), state)
			}
			return nil
		},
	}
}

func newStorePush(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "push DIR… s3://BUCKET/PREFIX",
		Short: "Keep run directories, or the folders of experiments, in a store",
		Long: `Keep run directories, or the folders of experiments with their runs, in a store, each under
its own name. A push that was interrupted goes on when it is repeated. Nothing is ever
replaced: a name that is taken by another run is an error.

  unpark store push unpark-runs/20260102-150405.000 s3://perf/nightly`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			last := len(args) - 1
			st, err := bucket.Open(args[last])
			if err != nil {
				return err
			}
			for _, dir := range args[:last] {
				p, err := st.Push(c.Context(), dir)
				if err != nil {
					return err
				}
				tellPushed(s, st, p)
			}
			return nil
		},
	}
}

// tellPushed says what came of a push, on standard error: standard output may be a document.
func tellPushed(s streams, st *bucket.Store, p bucket.Pushed) {
	what := fmt.Sprintf("%s, %.1f MB", unpark.Counted(int64(p.Files), "file"), float64(p.Bytes)/1e6)
	switch {
	case p.Already:
		what = "it was there"
	case p.Resumed > 0:
		what += fmt.Sprintf(", of which %d were there", p.Resumed)
	}
	fmt.Fprintf(s.err, "kept      %s (%s)\n", st.Address(p.Run), what)
	if p.Unguarded {
		fmt.Fprintf(s.err, "note: this server replaces objects although it is asked not to: let no two machines push the same name at the same moment\n")
	}
}

func newStorePull(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "pull s3://BUCKET/PREFIX/RUN [DIR]",
		Short: "Copy a run out of a store (to unpark-runs/RUN)",
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			st, run, err := bucket.OpenRun(args[0])
			if err != nil {
				return err
			}
			dir := runsFolder + "/" + run
			if len(args) == 2 {
				dir = args[1]
			}
			n, size, err := st.Pull(c.Context(), run, dir)
			if err != nil {
				return err
			}
			fmt.Fprintf(s.out, "%s (%s, %.1f MB)\n", dir, unpark.Counted(int64(n), "file"), float64(size)/1e6)
			return nil
		},
	}
}

func newStoreRm(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "rm s3://BUCKET/PREFIX/RUN…",
		Short: "Remove runs from a store",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			for _, name := range args {
				st, run, err := bucket.OpenRun(name)
				if err != nil {
					return err
				}
				if err := st.Remove(c.Context(), run); err != nil {
					return err
				}
				fmt.Fprintf(s.out, "removed   %s\n", st.Address(run))
			}
			return nil
		},
	}
}

func newStoreClean(s streams) *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "clean s3://BUCKET/PREFIX",
		Short: "Remove what uploads left that were interrupted, of a day ago or more",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			st, err := bucket.Open(args[0])
			if err != nil {
				return err
			}
			before := time.Now().Add(-24 * time.Hour)
			if all {
				before = time.Now().Add(24 * time.Hour) // the clock of the server may be ahead
			}
			runs, err := st.Clean(c.Context(), before)
			for _, run := range runs {
				fmt.Fprintf(s.out, "removed   %s\n", st.Address(run))
			}
			return err
		},
	}
	c.Flags().BoolVar(&all, "all", false, "of today as well: no upload goes on")
	return c
}
