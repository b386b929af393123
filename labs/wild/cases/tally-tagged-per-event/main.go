// Impressions of advertisements: a batch from a page is checked, its price is added up, and each
// impression is counted by campaign, country and device for the operators, whose statsd gets the
// sums every second.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/uber-go/tally/v4"

	"wild/service"
)

type impression struct {
	Campaign string  `json:"campaign"`
	Country  string  `json:"country"`
	Device   string  `json:"device"`
	Visible  float64 `json:"visible"` // seconds
	Cpm      int64   `json:"cpm"`     // millionths
}

type batch struct {
	Page        string       `json:"page"`
	Impressions []impression `json:"impressions"`
}

// series is what is counted of one combination of tags.
type series struct {
	shown   tally.Counter
	spent   tally.Counter
	visible tally.Histogram
}

// meter counts impressions.
type meter struct {
	scope tally.Scope
	known sync.Map // of tags to *series, as fixed
}

type tags struct{ campaign, country, device string }

var seconds = tally.MustMakeLinearValueBuckets(0, 0.5, 12)

func (m *meter) series(t tags) *series {
	s := m.scope.SubScope("impressions").Tagged(map[string]string{"campaign": t.campaign, "country": t.country, "device": t.device})
	return &series{s.Counter("shown"), s.Counter("spent"), s.Histogram("visible", seconds)}
}

func (m *meter) of(i impression) *series {
	t := tags{i.Campaign, i.Country, i.Device}
	if !service.After() {
		return m.series(t)
	}
	if s, ok := m.known.Load(t); ok {
		return s.(*series)
	}
	s, _ := m.known.LoadOrStore(t, m.series(t))
	return s.(*series)
}

func (m *meter) count(b batch) (cost int64, err error) {
	for n, i := range b.Impressions {
		if i.Campaign == "" || len(i.Country) != 2 || i.Visible < 0 {
			return 0, fmt.Errorf("impression %d: %+v", n, i)
		}
		price := i.Cpm / 1000
		if i.Visible < 1 {
			price = 0 // is not paid for
		}
		cost += price
		s := m.of(i)
		s.shown.Inc(1)
		s.spent.Inc(price)
		s.visible.RecordValue(i.Visible)
	}
	return cost, nil
}

// statsd writes what is reported to a socket.
type statsd struct {
	mu   sync.Mutex
	conn net.Conn
	buf  []byte
}

func (s *statsd) line(name string, tags map[string]string, value any, kind string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buf = fmt.Appendf(s.buf, "%s:%v|%s|#campaign:%s,country:%s,device:%s\n", name, value, kind, tags["campaign"], tags["country"], tags["device"])
	if len(s.buf) > 1200 {
		s.send()
	}
}

func (s *statsd) send() {
	s.conn.Write(s.buf) // lost when nobody listens, as with statsd
	s.buf = s.buf[:0]
}

func (s *statsd) ReportCounter(name string, tags map[string]string, value int64) {
	s.line(name, tags, value, "c")
}

func (s *statsd) ReportGauge(name string, tags map[string]string, value float64) {
	s.line(name, tags, value, "g")
}

func (s *statsd) ReportTimer(name string, tags map[string]string, d time.Duration) {
	s.line(name, tags, d.Milliseconds(), "ms")
}

func (s *statsd) ReportHistogramValueSamples(name string, tags map[string]string, _ tally.Buckets, _, upper float64, samples int64) {
	s.line(fmt.Sprintf("%s.%g", name, upper), tags, samples, "c")
}

func (s *statsd) ReportHistogramDurationSamples(name string, tags map[string]string, _ tally.Buckets, _, upper time.Duration, samples int64) {
	s.line(fmt.Sprintf("%s.%v", name, upper), tags, samples, "c")
}

func (s *statsd) Capabilities() tally.Capabilities { return s }
func (s *statsd) Reporting() bool                  { return true }
func (s *statsd) Tagging() bool                    { return true }

func (s *statsd) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.send()
}

func main() {
	sink, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		b := make([]byte, 2048)
		for {
			if _, _, err := sink.ReadFrom(b); err != nil {
				return
			}
		}
	}()
	conn, err := net.Dial("udp", sink.LocalAddr().String())
	if err != nil {
		log.Fatal(err)
	}
	scope, closer := tally.NewRootScope(tally.ScopeOptions{Prefix: "ads", Tags: map[string]string{"service": "impressions", "zone": "eu-1"}, Reporter: &statsd{conn: conn}}, time.Second)
	defer closer.Close()
	m := &meter{scope: scope}
	batches := scope.Counter("batches")
	http.HandleFunc("POST /impressions", func(w http.ResponseWriter, r *http.Request) {
		var b batch
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&b); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		cost, err := m.count(b)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		batches.Inc(1)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"taken": len(b.Impressions), "cost": cost})
	})
	service.Run(http.DefaultServeMux)
}
