package investigate

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// endpoints finds the profiling endpoints of the target: the ones that were
// named, else the probe's socket in each process, else net/http/pprof on a port
// that the target opened.
func (s *service) endpoints(ctx context.Context) ([]*window.Endpoint, error) {
	if len(s.c.Pprof) > 0 {
		return s.named(ctx)
	}
	if es := s.sockets(ctx, probeGrace); len(es) > 0 {
		return es, nil
	}
	if es := s.ports(ctx); len(es) > 0 {
		return es, nil
	}
	if err := s.alive(); err != nil {
		return nil, err
	}
	return nil, errors.New("find a profiling endpoint of the target: it has neither unpark's probe nor net/http/pprof on a port or a unix socket of its own: build it with the probe added (--pkg ./cmd/server), or name its endpoint with --pprof")
}

// collect has a target that was started here collect its garbage before there is load: what it allocated until then is in the
// window's first reading (window.Endpoint.Collect). One that does not answer yet is as good without; what ran before is left alone.
func collect(ctx context.Context, s *service) {
	if s.target == nil {
		return
	}
	found, err := s.endpoints(ctx)
	if err != nil {
		return
	}
	defer closeAll(found)
	for _, e := range found {
		_ = e.Collect(ctx)
	}
}

// probeGrace is how long a process that is ready for requests may take to open
// its probe's socket. The probe starts in an init function, before main.
const probeGrace = 2 * time.Second

func (s *service) named(ctx context.Context) (es []*window.Endpoint, err error) {
	defer func() {
		if err != nil {
			closeAll(es)
			es = nil
		}
	}()
	for _, address := range s.c.Pprof {
		e, err := window.NewEndpoint(address, s.c.Token)
		if err != nil {
			return es, err
		}
		es = append(es, e)
		if err := s.patiently(ctx, e); err != nil {
			return es, fmt.Errorf("%w: is the service running, and does it serve pprof there?", err)
		}
		e.Locate(ctx)
	}
	es = s.once(es)
	window.Number(es)
	return es, nil
}

func closeAll(es []*window.Endpoint) {
	for _, e := range es {
		e.Close()
	}
}

// once leaves out endpoints of a process that another one is of: its profiles would be
// counted twice, and it gives its CPU profile to one at a time.
func (s *service) once(es []*window.Endpoint) []*window.Endpoint {
	first := map[int]*window.Endpoint{}
	return slices.DeleteFunc(es, func(e *window.Endpoint) bool {
		same := first[e.Local]
		if e.Local == 0 || same == nil {
			first[e.Local] = e
			return false
		}
		e.Close()
		s.rec.warnOnce("endpoint-twice", fmt.Sprintf("%s and %s are of one process, %d: the first is read", same.Address, e.Address, e.Local),
			"name one endpoint of each process")
		return true
	})
}

// patiently asks an endpoint of a target that has only just been started until
// it answers; a target that ran already is asked once.
func (s *service) patiently(ctx context.Context, e *window.Endpoint) error {
	deadline := time.Now().Add(5 * time.Second)
	for {
		err := e.Probe(ctx)
		if err == nil || s.target == nil || time.Now().After(deadline) || ctx.Err() != nil {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// sockets asks the probe's socket of every process.
func (s *service) sockets(ctx context.Context, grace time.Duration) []*window.Endpoint {
	deadline := time.Now().Add(grace)
	for {
		es, waiting := s.socketsNow(ctx)
		if (len(es) > 0 && !waiting) || time.Now().After(deadline) || ctx.Err() != nil || s.alive() != nil {
			return es
		}
		closeAll(es) // they are asked anew
		time.Sleep(50 * time.Millisecond)
	}
}

// socketsNow also reports whether a socket did not answer yet.
func (s *service) socketsNow(ctx context.Context) (es []*window.Endpoint, waiting bool) {
	if s.target == nil {
		return nil, false
	}
	ps, err := s.target.Processes()
	if err != nil {
		return nil, true
	}
	return answering(ctx, ps)
}

// answering returns the endpoints of the probes that answer now; waiting tells that one
// does not. It leaves no connection to those.
func answering(ctx context.Context, ps []target.Process) (es []*window.Endpoint, waiting bool) {
	for _, p := range ps {
		if p.Socket == "" {
			continue
		}
		e, err := window.NewEndpoint("unix://"+p.Socket, "")
		if err != nil {
			continue
		}
		if e.Probe(ctx) != nil || e.Info == nil {
			e.Close()
			waiting = true
			continue
		}
		// The name of the socket's file has the number that the process gives itself, and
		// one of the target's processes has it here.
		e.Place(p.PID, true)
		es = append(es, e)
	}
	return es, waiting
}

// ports looks for net/http/pprof on the ports and the unix sockets that the target
// opened.
func (s *service) ports(ctx context.Context) []*window.Endpoint {
	if s.target == nil {
		return nil
	}
	ports, err := s.target.Ports()
	if err != nil {
		return nil
	}
	var es []*window.Endpoint
	for _, port := range ports {
		e, err := window.NewEndpoint("http://"+net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), s.c.Token)
		if err != nil {
			continue
		}
		if e.Probe(ctx) != nil {
			e.Close()
			continue
		}
		e.Locate(ctx)
		e.Place(e.Local, true) // the target listens there, with whichever of its processes
		es = append(es, e)
	}
	if len(es) == 0 {
		es = s.served(ctx)
	}
	es = s.once(es)
	window.Number(es)
	return es
}

// served looks for net/http/pprof on the unix sockets that the target opened.
func (s *service) served(ctx context.Context) (es []*window.Endpoint) {
	sockets, _ := s.target.Sockets()
	for _, socket := range sockets {
		e, err := window.NewEndpoint(unpark.UnixURL(socket, ""), s.c.Token)
		if err != nil {
			continue
		}
		if e.Probe(ctx) != nil {
			e.Close()
			continue
		}
		e.Locate(ctx)
		// Of several processes it may not be known which one has the socket.
		if ps, err := s.target.Processes(); err == nil && len(ps) == 1 && e.Local == 0 {
			e.Local = ps[0].PID
		}
		e.Place(e.Local, true)
		es = append(es, e)
	}
	return es
}
