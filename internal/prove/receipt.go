package prove

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/internal/store"
)

// File is the document of a proof, in its folder.
const File = "proof.json"

// conclude reaches the verdict.
func (p *prover) conclude() {
	f := &p.proof
	f.Ended = time.Now().UTC()
	void := len(f.Reasons) > 0 && f.Reasons[0].Code == "void"
	if len(f.Reasons) > 0 && !void {
		f.Verdict, f.Why = unpark.VerdictRefused, f.Reasons[0].Message
		return
	}
	var better, worse []string
	for _, e := range f.Rounds.Effects {
		switch {
		case !e.Primary():
		case e.Verdict == "better":
			better = append(better, nameOf(e))
		case e.Verdict == "worse":
			worse = append(worse, nameOf(e))
		}
	}
	switch {
	case void:
		f.Verdict, f.Why = unpark.VerdictNotProven, f.Reasons[0].Message
	case len(worse) > 0:
		f.Verdict, f.Why = unpark.VerdictNotProven, strings.Join(worse, ", ")+" got worse"
		p.refuse("worse", f.Why, "weigh it, and have a person decide where something else is worth it")
	case len(better) == 0 && p.tooFew():
		f.Verdict, f.Why = unpark.VerdictNotProven, "too few rounds count to show a change, however large"
	case len(better) == 0:
		f.Verdict, f.Why = unpark.VerdictNotProven, "neither throughput, p99 nor CPU per request moved beyond what identical versions differ by here"
		p.refuse("same", f.Why, "more or longer rounds find smaller changes; or the ceiling is elsewhere")
	default:
		f.Verdict, f.Why = unpark.VerdictProven, strings.Join(better, ", ")+" got better and none got worse; the answers and the tests are those of before"
	}
}

// tooFew makes a reason of the warning that the rounds that count cannot show anything: what did not move beyond chance
// says nothing of the change then. It reports whether there is that warning.
func (p *prover) tooFew() bool {
	i := slices.IndexFunc(p.proof.Warnings, func(n unpark.Notice) bool { return n.Code == "too-few-rounds" })
	if i < 0 {
		return false
	}
	n := p.proof.Warnings[i]
	p.proof.Warnings = slices.Delete(p.proof.Warnings, i, i+1)
	p.refuse(n.Code, n.Message, "prove it again: "+n.Cure+", and where rounds were left out, mend what the warnings say of them first")
	return true
}

func nameOf(e unpark.Effect) string {
	if e.Metric == "cpu_per_request" {
		return "CPU per request"
	}
	return e.Metric
}

// write writes the document, whole or not at all.
func write(dir string, f unpark.Proof) error {
	name := filepath.Join(dir, File)
	temporary := name + ".tmp"
	w, err := os.OpenFile(temporary, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		err = errors.Join(report.JSON(w, f), w.Sync(), w.Close())
	}
	if err == nil {
		err = os.Rename(temporary, name)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write the proof %s: %w: free some space on the disk", name, err), os.Remove(temporary))
	}
	return nil
}

// Read reads the document of a proof from its folder, which may come from elsewhere.
func Read(dir string) (unpark.Proof, error) {
	f, err := store.File(dir, File)
	if err != nil {
		return unpark.Proof{}, err
	}
	defer f.Close()
	var proof unpark.Proof
	text, err := io.ReadAll(io.LimitReader(f, mostDocument))
	if err == nil {
		err = json.Unmarshal(text, &proof)
	}
	if err == nil && proof.Schema != unpark.SchemaProof {
		err = fmt.Errorf("schema %q is not known to this unpark, which reads %s", proof.Schema, unpark.SchemaProof)
	}
	if err != nil {
		return unpark.Proof{}, fmt.Errorf("read %s: %w: give the folder that unpark prove printed", filepath.Join(dir, File), err)
	}
	return proof, nil
}
