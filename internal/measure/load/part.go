package load

import (
	"fmt"

	"github.com/unpark-go/unpark"
)

// strided is one of several parts of an open plan: its arrival k is arrival k·of+index of
// the whole. The pacers that it is made of read no arrival before.
type strided struct {
	pacer
	part unpark.Share
}

var _ pacer = strided{}

func (s strided) next(k, _ int64) int64 { return s.pacer.next(s.part.Number(k), 0) }

func (s *settings) checkPart(plan unpark.Plan) error {
	if p := plan.Share; p.Of != 0 && (p.Of < 0 || p.Index < 0 || p.Index >= p.Of) {
		return fmt.Errorf("part %d of %d: parts are numbered from 0, below their number", p.Index, p.Of)
	}
	return nil
}

// setPart leaves the generator its part of the arrivals. Independent Poisson streams are
// one together (Kingman, "Poisson Processes", 1993, section 2.2), so that each has a seed
// of its own; of one stream every Of-th arrival would not be Poisson.
func (s *settings) setPart(plan unpark.Plan) error {
	p := plan.Share
	if p.Of <= 1 || s.pacer == nil {
		return nil
	}
	if whole, ok := s.pacer.(poisson); ok {
		s.pacer = poisson{rate: whole.rate / float64(p.Of), seed: mix(whole.seed + uint64(p.Index+1)*0x9e3779b97f4a7c15)}
		return nil
	}
	s.pacer = strided{s.pacer, p}
	return nil
}
