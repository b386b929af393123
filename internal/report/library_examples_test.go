package report

import "github.com/unpark-go/unpark"

// inLibrary is a run whose cost is two libraries below the line that is yours.
func inLibrary() unpark.Run {
	r := lockAtTheKnee()
	f := allocFinding()
	f.Rank, f.Title = 1, "flate.NewWriter allocates 822 kB per request"
	f.Culprit = &unpark.Site{Function: "compress/flate.NewWriter", File: "/go/src/compress/flate/deflate.go", Line: 665}
	f.Way = []unpark.Part{
		{Site: unpark.Site{Function: "github.com/prometheus/common/expfmt.MetricFamilyToText", File: "/go/pkg/mod/expfmt/text_create.go", Line: 70}, Share: 0.98},
		{Site: unpark.Site{Function: "compress/gzip.(*Writer).Write", File: "/go/src/compress/gzip/gzip.go", Line: 191}, Share: 0.97},
		{Site: *f.Culprit, Share: 0.94},
	}
	f.Prediction.Throughput, f.Prediction.Summary = unpark.Between(3.8, 2.4, 5.1, "ratio", 4280), "Removing it would raise throughput."
	f.Remedies = []unpark.Remedy{{
		Title: "Reuse gzip writers with Reset: a new one allocates about 800 kB", When: "a writer is made per response",
		Risk:    "close before putting it back, or the end of the answer is missing",
		Change:  "var writers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}\nz := writers.Get().(*gzip.Writer)\nz.Reset(w)",
		Sources: []string{"https://pkg.go.dev/compress/gzip#Writer.Reset"},
	}, {Title: "Compress with a drop-in that is faster"}}
	r.Findings = []unpark.Finding{f}
	return r
}

func severalFindings() unpark.Run {
	r := lockAtTheKnee()
	f := allocFinding()
	f.Rank, f.Class, f.Title = 3, unpark.ClassLeak, "Goroutines of the refresher never end"
	f.Cost = unpark.Cost{Goroutines: unpark.Measured(1204, "count", 5), GrowthPerSecond: unpark.Between(11.8, 9.1, 14.2, "goroutines/s", 5)}
	f.Share, f.ShareOf = unpark.Number{}, ""
	f.Prediction = unpark.Prediction{}
	f.Remedies = nil
	r.Findings = append(r.Findings, f)
	return r
}
