package window

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strconv"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
)

// Files of a window besides profiles (DESIGN §4).
const (
	percentilesFile = "latency.hgrm"  // response times of the window, an HdrHistogram percentile distribution in ms
	logFile         = "latency.hlog"  // the same of every second since the load began, an HdrHistogram log
	metricsFile     = "metrics.jsonl" // runtime/metrics of each process at both ends of the window
)

// instant is one line of metrics.jsonl.
type instant struct {
	At      time.Time       `json:"at"`
	PID     int             `json:"pid"`
	Metrics json.RawMessage `json:"metrics"`
}

// saveMetrics writes what the probes said at both ends of the window.
func (s *session) saveMetrics() []unpark.Notice {
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	for end, at := range []time.Time{s.used.first.at, s.used.last.at} {
		for _, m := range s.members {
			if raw := m.pages[end].Raw; len(raw) > 0 {
				_ = w.Encode(instant{at, m.endpoint.PID, raw}) // valid: it was read before
			}
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return lost(metricsFile, s.o.save(path.Join(s.o.Name, metricsFile), b.Bytes()))
}

// saveLatency writes the window's response times in full.
func (s *session) saveLatency(window *load.Stretch) []unpark.Notice {
	var notes []unpark.Notice
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{{percentilesFile, window.Percentiles}, {logFile, s.o.Generator.Log}} {
		var b bytes.Buffer
		err := f.write(&b)
		if err == nil {
			err = s.o.save(path.Join(s.o.Name, f.name), b.Bytes())
		}
		notes = append(notes, lost(f.name, err)...)
	}
	return notes
}

// file names a file of one process in the run directory.
func (o Options) file(m *member, name string) string {
	return path.Join(o.Name, strconv.Itoa(m.endpoint.PID), name)
}

// save writes one file of the run; a failure is told with the profile's record.
func (o Options) save(name string, body []byte) error {
	if o.Create == nil {
		return nil
	}
	w, err := o.Create(name)
	if err != nil {
		return err
	}
	if _, err := w.Write(body); err != nil {
		w.Close()
		return fmt.Errorf("write %s: %w: free space on the disk, or choose another place with --out", name, err)
	}
	return w.Close()
}

// lost tells of a file that could not be written; no figure depends on it.
func lost(name string, err error) []unpark.Notice {
	if err == nil {
		return nil
	}
	return []unpark.Notice{{
		Code: "file", Message: name + " was not written: " + err.Error(),
		Cure: "free space on the disk, or choose another place with --out; the verdict stands without it",
	}}
}
