package investigate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/store"
)

// Keep stores a diagnosis of loose files as a run of its own, with copies of the files, and returns it with its directory, which must
// not exist. When it fails nothing is left there.
func (o Outcome) Keep(dir string) (Outcome, error) {
	d, err := store.Create(dir)
	if err != nil {
		return Outcome{}, err
	}
	run := o.Run
	run.Windows = slices.Clone(run.Windows)
	for i := range run.Windows {
		w := &run.Windows[i]
		w.Profiles = slices.Clone(w.Profiles)
		for j := range w.Profiles {
			name := path.Join("files", fmt.Sprintf("%02d-%s", j+1, filepath.Base(w.Profiles[j].File)))
			if err := o.copyInto(d, name, w.Profiles[j].File); err != nil {
				return Outcome{}, errors.Join(err, d.Discard())
			}
			w.Profiles[j].File = name
		}
	}
	writePage(d, &run)
	kept, err := d.Commit(run)
	if err != nil {
		return Outcome{}, errors.Join(err, d.Discard())
	}
	return Outcome{Run: run, Dir: kept}, nil
}

func (o Outcome) copyInto(d *store.Dir, name, from string) error {
	var in io.Reader = bytes.NewReader(o.sent[from])
	if _, ok := o.sent[from]; !ok {
		f, err := os.Open(from)
		if err != nil {
			return fmt.Errorf("keep %s: %w: it was there a moment ago", from, err)
		}
		defer f.Close()
		in = f
	}
	out, err := d.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// writePage writes the report; without room for it the run document still holds the verdict, and the page can be made again
// from it.
func writePage(d *store.Dir, run *unpark.Run) {
	if err := page(d, *run); err != nil {
		run.Warnings = append(run.Warnings, unpark.Notice{
			Code: "report", Message: unpark.RedactText("the HTML report was not written: " + err.Error()), Cure: "make it again: unpark report --html RUN > report.html",
		})
	}
}
