package predict

import (
	"math"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestMisfit: a model that other levels bear out widens nothing, and one that they
// do not widens by what it misses, the more the further the forecast goes.
func TestMisfit(t *testing.T) {
	s := full2()
	n := s.network(station{})
	s.m.Ev.Doses = []facts.Dose{{Level: unpark.Level{Connections: 25}, RPS: s.at(n, 0.5)}}
	if x := s.refit(span{1.5, 2, 2.5}); math.Abs(x.low-1.5) > 1e-6 || math.Abs(x.high-2.5) > 1e-6 {
		t.Errorf("a model that fits: %+v", x)
	}
	s.m.Ev.Doses = append(s.m.Ev.Doses, facts.Dose{Level: unpark.Level{Connections: 10}, RPS: s.at(n, 0.2) / 1.3})
	near, far := s.refit(span{1, 1.05, 1.1}), s.refit(span{3, 4, 5})
	if near.high/1.1 >= far.high/5 || far.high <= 5 || far.low >= 3 || far.high > 5*math.Pow(1.3, 1.5) {
		t.Errorf("a model that misses: %+v %+v", near, far)
	}
	if text := strings.Join(s.fitted(), ""); !strings.Contains(text, "fitted at 50 connections") || !strings.Contains(text, "for 10 where") {
		t.Errorf("%q", text)
	}
	s.Mode = unpark.Constant
	if _, ok := s.misfit(); ok {
		t.Error("a sweep over rates was held against the model")
	}
}

// TestMisfitOfMany: a level that the model cannot compute is not held against it.
func TestMisfitOfMany(t *testing.T) {
	s := full2()
	s.m.Ev.Doses = []facts.Dose{{Level: unpark.Level{Connections: 50 * maxPopulation}, RPS: 1}}
	if m, ok := s.misfit(); ok {
		t.Errorf("%+v", m)
	}
}
