package scorecard_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/scorecard"
)

var update = flag.Bool("update", false, "write the golden files")

func score(day int, class unpark.Class, metric string, predicted [3]float64, measured float64) unpark.Score {
	return unpark.Score{
		Time: time.Date(2026, 1, day, 3, 4, 5, 0, time.UTC), Unpark: "v1", Target: "shop", Metric: metric,
		Class: class, Rule: string(class), Function: fmt.Sprintf("github.com/acme/shop.F%d", day),
		Predicted: unpark.Between(predicted[0], predicted[1], predicted[2], "ratio", 0),
		Measured:  unpark.Measured(measured, "ratio", 20),
	}
}

func scores() []unpark.Score {
	out := []unpark.Score{
		score(3, unpark.ClassLock, "throughput", [3]float64{1.5, 1.4, 1.68}, 1.6),
		score(1, unpark.ClassLock, "throughput", [3]float64{1, 0.9, 1.1}, 1.0),
		score(2, unpark.ClassCPU, "throughput", [3]float64{2, 1.5, 3}, 4),
		score(2, unpark.ClassCPU, "p99", [3]float64{0.5, 0.3, 0.6}, 0.25),
	}
	return append(out, score(4, unpark.ClassLock, "p99", [3]float64{0.2, 0.1, 0.4}, 0.2))
}

func TestSum(t *testing.T) {
	unjudged := score(9, unpark.ClassGC, "p50", [3]float64{1, 1, 1}, 1)
	unjudged.Measured = unpark.Quantity{}
	c := scorecard.Sum(append(scores(), unjudged), []unpark.Notice{{Code: "c", Message: "m", Cure: "x"}})
	if c.All.N != 5 || c.Services != 1 || c.Distinct != 5 || len(c.Scores) != 5 || c.First.Day() != 1 || c.Last.Day() != 4 || len(c.Warnings) != 1 {
		t.Errorf("%+v", c)
	}
	// 3 of 5; Wilson's 90 % interval: (0.6 + z²/10 ± z·√(0.048 + z²/100)) ÷ (1 + z²/5), z = 1.645.
	if q := c.All.Coverage; q.Value.Or(0) != 0.6 || math.Abs(q.Low.Or(0)-0.2725) > 1e-3 || math.Abs(q.High.Or(0)-0.8573) > 1e-3 {
		t.Errorf("coverage %+v", q)
	}
	lock := c.Classes[1]
	if lock.Name != "lock" || lock.N != 3 || lock.Coverage.Value.Or(0) != 1 {
		t.Fatalf("%+v", lock)
	}
	// Widths 1.2, 1.1 ÷ 0.9, 4; errors 1.6 ÷ 1.5, 1, 1.
	if w := math.Cbrt(1.2 * 1.1 / 0.9 * 4); math.Abs(lock.Width.Or(0)-w) > 1e-9 || math.Abs(lock.Narrow.Or(0)-2.0/3) > 1e-9 {
		t.Errorf("width %v, want %g; narrow %v", lock.Width, w, lock.Narrow)
	}
	if e := math.Cbrt(1.6 / 1.5); math.Abs(lock.Error.Or(0)-e) > 1e-9 || math.Abs(lock.Bias.Or(0)-e) > 1e-9 {
		t.Errorf("error %v, bias %v, want %g", lock.Error, lock.Bias, e)
	}
	// Twice too low and twice too high: an error of 2, and no bias.
	if cpu := c.Classes[0]; math.Abs(cpu.Error.Or(0)-2) > 1e-9 || math.Abs(cpu.Bias.Or(0)-1) > 1e-9 || cpu.Coverage.Value.Or(1) != 0 {
		t.Errorf("%+v", cpu)
	}
	if len(c.Metrics) != 2 || c.Metrics[0].Name != "p99" {
		t.Errorf("%+v", c.Metrics)
	}
}

// TestInsideIsJudgedAnew: a file may say what it likes.
func TestInsideIsJudgedAnew(t *testing.T) {
	s := score(1, unpark.ClassLock, "p99", [3]float64{1, 0.9, 1.1}, 5)
	s.Inside = true
	if c := scorecard.Sum([]unpark.Score{s}, nil); c.All.Coverage.Value.Or(1) != 0 || c.Scores[0].Inside {
		t.Errorf("%+v", c)
	}
}

func TestGolden(t *testing.T) {
	hostile := scores()
	hostile[0].Target, hostile[0].Function, hostile[0].Class, hostile[0].Metric = "a|b<script>\n\x1b[31m", "x/`y`|*", "lock\t|", "p\u202e99"
	twice := append(scores(), scores()...)
	for name, c := range map[string]unpark.Scorecard{
		"some":    scorecard.Sum(scores(), nil),
		"twice":   scorecard.Sum(twice, []unpark.Notice{{Code: "bad-score", Message: "f:3 is no score", Cure: "remove the line"}}),
		"nothing": scorecard.Sum(nil, nil),
		"hostile": scorecard.Sum(hostile, nil),
	} {
		for form, write := range map[string]func(io.Writer, unpark.Scorecard) error{"txt": scorecard.Text, "md": markdown, "json": scorecard.JSON} {
			var b bytes.Buffer
			if err := write(&b, c); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name+"."+form)
			if *update {
				if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil || b.String() != string(want) {
				t.Errorf("%s: %v\n%s", file, err, b.String())
			}
			if form != "json" && strings.ContainsAny(b.String(), "\x1b\u202e") || form == "md" && strings.Contains(b.String(), "<script>") {
				t.Errorf("%s: not escaped", file)
			}
		}
	}
}

// TestFigures: what is far from 1 prints as in every report.
func TestFigures(t *testing.T) {
	far := []unpark.Score{
		score(1, unpark.ClassLock, "throughput", [3]float64{143, 13.7, 1483}, 593),
		score(2, unpark.ClassAlloc, "p99", [3]float64{0.0858, 0.000485, 1.3}, 0.11),
	}
	far[1].Measured = unpark.Between(0.11, 0.1, 0.12, "ratio", 20)
	var b bytes.Buffer
	if err := markdown(&b, scorecard.Sum(far, nil)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| ×143 (13.7–1,483) | ×593 |", "| ×0.086 (&#60;0.001–1.30) | ×0.11 (0.10–0.12) |",
		"| throughput | 1 | 100 % (27–100) | ×108 | 0 % | ×4.15 | ×4.15 |", "| p99 | 1 | 100 % (27–100) | ×2,680 | 0 % |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestJSONReadsBack(t *testing.T) {
	var b bytes.Buffer
	if err := scorecard.JSON(&b, scorecard.Sum(nil, nil)); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), `"scores": null`) || strings.Contains(b.String(), `"metrics": null`) {
		t.Errorf("null for a list: %s", b.String())
	}
	var c unpark.Scorecard
	if err := json.Unmarshal(b.Bytes(), &c); err != nil || c.Schema != unpark.SchemaScorecard {
		t.Errorf("%+v, %v", c, err)
	}
}

func markdown(w io.Writer, c unpark.Scorecard) error {
	return scorecard.Markdown(w, c, "unpark scorecard --md")
}
