package investigate

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/target"
	"github.com/unpark-go/unpark/window"
)

// endpoints finds the profiling endpoints of the target: the ones that were
// named, else the probe's socket in each process, else net/http/pprof on a port
// that the target opened.
func (r *runner) endpoints(ctx context.Context) ([]*window.Endpoint, error) {
	if len(r.c.Pprof) > 0 {
		return r.named(ctx)
	}
	if es := r.sockets(ctx, probeGrace); len(es) > 0 {
		return es, nil
	}
	if es := r.ports(ctx); len(es) > 0 {
		return es, nil
	}
	if err := r.alive(); err != nil {
		return nil, err
	}
	return nil, errors.New("find a profiling endpoint of the target: it has neither unpark's probe nor net/http/pprof on a port or a unix socket of its own: build it with the probe added (--pkg ./cmd/server), or name its endpoint with --pprof")
}

// introduce notes who answered.
func (r *runner) introduce(found []*window.Endpoint) {
	r.run.Target.Own = joined(r.c.Own, nil)
	for _, e := range found {
		if e.Info != nil {
			r.run.Target.Probe = true
			r.run.Target.Module, r.run.Target.Go = e.Info.Module, e.Info.Go
		}
		r.owns(e)
		if here := e.Hostport() == "" || local(e.Hostport()); r.attached() && here && e.PID > 0 && !r.run.Target.Quota.Known() {
			r.run.Target.Quota, _ = target.PIDCgroup(e.PID)
		}
	}
}

// probeGrace is how long a process that is ready for requests may take to open
// its probe's socket. The probe starts in an init function, before main.
const probeGrace = 2 * time.Second

func (r *runner) named(ctx context.Context) ([]*window.Endpoint, error) {
	var es []*window.Endpoint
	for _, address := range r.c.Pprof {
		e, err := window.NewEndpoint(address, r.c.Token)
		if err != nil {
			return nil, err
		}
		if err := r.patiently(ctx, e); err != nil {
			return nil, fmt.Errorf("%w: is the service running, and does it serve pprof there?", err)
		}
		if e.PID == 0 {
			if pid, ok := target.Listening(e.Hostport()); ok && local(e.Hostport()) {
				e.PID = pid
			}
		}
		es = append(es, e)
	}
	number(es)
	return es, nil
}

// patiently asks an endpoint of a target that has only just been started until
// it answers; a target that ran already is asked once.
func (r *runner) patiently(ctx context.Context, e *window.Endpoint) error {
	deadline := time.Now().Add(5 * time.Second)
	for {
		err := e.Probe(ctx)
		if err == nil || r.target == nil || time.Now().After(deadline) || ctx.Err() != nil {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// number gives endpoints whose process is unknown distinct negative numbers, so
// that their files do not collide.
func number(es []*window.Endpoint) {
	for i, e := range es {
		if e.PID == 0 {
			e.PID = -(i + 1)
		}
	}
}

// sockets asks the probe's socket of every process.
func (r *runner) sockets(ctx context.Context, grace time.Duration) []*window.Endpoint {
	deadline := time.Now().Add(grace)
	for {
		es, waiting := r.socketsNow(ctx)
		if (len(es) > 0 && !waiting) || time.Now().After(deadline) || ctx.Err() != nil || r.alive() != nil {
			return es
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// socketsNow also reports whether a socket did not answer yet.
func (r *runner) socketsNow(ctx context.Context) (es []*window.Endpoint, waiting bool) {
	if r.target == nil {
		return nil, false
	}
	ps, err := r.target.Processes()
	if err != nil {
		return nil, true
	}
	for _, p := range ps {
		if p.Socket == "" {
			continue
		}
		e, err := window.NewEndpoint("unix://"+p.Socket, "")
		if err != nil {
			continue
		}
		if e.Probe(ctx) != nil || e.Info == nil {
			waiting = true
			continue
		}
		// In a container of its own the process may count itself under another
		// number; the name of the socket's file is what unpark sees.
		e.PID = p.PID
		es = append(es, e)
	}
	return es, waiting
}

// ports looks for net/http/pprof on the ports and the unix sockets that the target
// opened.
func (r *runner) ports(ctx context.Context) []*window.Endpoint {
	if r.target == nil {
		return nil
	}
	ports, err := r.target.Ports()
	if err != nil {
		return nil
	}
	var es []*window.Endpoint
	for _, port := range ports {
		e, err := window.NewEndpoint("http://"+net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), r.c.Token)
		if err != nil || e.Probe(ctx) != nil {
			continue
		}
		if pid, ok := target.Listening(e.Hostport()); ok {
			e.PID = pid
		}
		es = append(es, e)
	}
	if len(es) == 0 {
		es = r.served(ctx)
	}
	number(es)
	return es
}

// served looks for net/http/pprof on the unix sockets that the target opened.
func (r *runner) served(ctx context.Context) (es []*window.Endpoint) {
	sockets, _ := r.target.Sockets()
	for _, socket := range sockets {
		e, err := window.NewEndpoint(unpark.UnixURL(socket, ""), r.c.Token)
		if err != nil || e.Probe(ctx) != nil {
			continue
		}
		// Of several processes it cannot be told which one has the socket.
		if ps, err := r.target.Processes(); err == nil && len(ps) == 1 && e.PID == 0 {
			e.PID = ps[0].PID
		}
		es = append(es, e)
	}
	return es
}

// local reports whether an address is on this machine.
func local(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		return false
	}
	if name, err := os.Hostname(); err == nil && host == name {
		return true
	}
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}
