package load

import (
	"bytes"
	"fmt"
	"io"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

const (
	halvings  = 5   // percentiles for each halving of the distance to 100 %, as HdrHistogram's own tools print
	perMillis = 1e6 // ns: both formats speak of milliseconds
)

// Percentiles writes the response times of the stretch as an HdrHistogram
// percentile distribution in milliseconds, which its plotters read (.hgrm). Before
// Load has returned there is nothing to write, which is an error.
func (s *Stretch) Percentiles(w io.Writer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.total == nil {
		return fmt.Errorf("load: percentiles of stretch %q: it has no result yet", s.phase)
	}
	return s.total.response.percentiles(w)
}

func (h *histogram) percentiles(w io.Writer) error {
	_, err := h.counts.PercentilesPrint(w, halvings, perMillis)
	return err
}

// Log writes the times of the answers in each tick so far as an HdrHistogram log,
// format 1.3: nanoseconds with two significant digits, the intervals' starts
// relative to a base time. Each tick has three lines with the tags "response",
// "service" and "lag". Any HdrHistogram log reader opens it; those that draw one
// series must be told its tag.
func (g *Generator) Log(w io.Writer) error {
	g.timeline.mu.Lock()
	defer g.timeline.mu.Unlock()
	return writeLog(w, g.started, g.timeline.log.lines.Bytes())
}

// writeLog writes the head of a log and its lines.
func writeLog(w io.Writer, at time.Time, lines []byte) error {
	var head bytes.Buffer
	started := at.UnixMilli()
	log := hdr.NewHistogramLogWriter(&head)
	for _, err := range []error{
		log.OutputComment("[Tag response: from the intended start to the whole answer; service: from sending; lag: the difference; logged by unpark]"),
		log.OutputLogFormatVersion(), log.OutputStartTime(started), log.OutputBaseTime(started), log.OutputLegend(),
	} {
		if err != nil {
			return err
		}
	}
	if _, err := w.Write(head.Bytes()); err != nil {
		return err
	}
	_, err := w.Write(lines)
	return err
}
