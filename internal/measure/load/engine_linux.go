package load

import (
	"context"
	"hash/maphash"
	"net"
	"net/netip"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// newEngine chooses the engine: pollers for one host without TLS, else a goroutine
// for each connection.
func newEngine(ctx context.Context, g *Generator) (engine, error) {
	plain, err := plainOf(ctx, g.settings, g.repeats.seed)
	if err != nil {
		return nil, err
	}
	if plain != nil {
		return newPollers(g, plain)
	}
	return newCrew(ctx, g)
}

// plainPlan is what pollers need of a plan.
type plainPlan struct {
	addrs func() []address
	codec func(room *[]byte) codec // of a connection
}

// address is one of the host, ready for connect(2). Each poller has its own: a
// Sockaddr is written to by every call.
type address struct {
	family   int
	sockaddr unix.Sockaddr
	name     net.Addr
}

// plainOf returns the plan for pollers, nil when it is none for them. A name that
// cannot be resolved is left to the engine whose requests then fail one by one.
func plainOf(ctx context.Context, s *settings, seed maphash.Seed) (*plainPlan, error) {
	first := &s.kinds[0]
	if s.engine == engineCrew {
		return nil, nil
	}
	for i := range s.kinds {
		if k := &s.kinds[i]; k.url.Scheme != "http" && k.url.Scheme != schemeGRPC || k.place() != first.place() {
			return nil, nil
		}
	}
	p := &plainPlan{}
	var err error
	if p.codec, err = codecOf(s, seed); err != nil {
		return nil, err
	}
	if first.socket != "" {
		p.addrs = func() []address { return []address{unixAddress(first.socket)} }
		return p, nil
	}
	number, err := net.DefaultResolver.LookupPort(ctx, "tcp", port(first))
	if err != nil {
		return nil, err
	}
	hosts, err := s.dialer.lookUp(ctx, first.url.Hostname())
	if err != nil {
		return nil, nil //nolint:nilerr // see above
	}
	p.addrs = func() (out []address) {
		for _, host := range hosts {
			out = append(out, newAddress(host, number))
		}
		return out
	}
	return p, nil
}

// codecOf returns what makes the codec of a connection.
func codecOf(s *settings, seed maphash.Seed) (func(room *[]byte) codec, error) {
	if s.protocol != protoHTTP1 {
		wires, err := newH2Wires(s)
		return func(*[]byte) codec { return newH2Codec(wires, s, seed) }, err
	}
	var wires []wire
	for i := range s.kinds {
		w, err := newWire(&s.kinds[i])
		if err != nil {
			return nil, err
		}
		wires = append(wires, w)
	}
	return func(room *[]byte) codec { return newPlainCodec(wires, s, seed, room) }, nil
}

func newAddress(a netip.Addr, port int) address {
	a = a.Unmap()
	name := net.TCPAddrFromAddrPort(netip.AddrPortFrom(a, uint16(port)))
	if a.Is4() {
		return address{unix.AF_INET, &unix.SockaddrInet4{Port: port, Addr: a.As4()}, name}
	}
	to := &unix.SockaddrInet6{Port: port, Addr: a.As16()}
	if zone, err := net.InterfaceByName(a.Zone()); err == nil {
		to.ZoneId = uint32(zone.Index)
	}
	return address{unix.AF_INET6, to, name}
}

func unixAddress(socket string) address {
	return address{unix.AF_UNIX, &unix.SockaddrUnix{Name: socket}, &net.UnixAddr{Net: "unix", Name: socket}}
}

// enoughForPoller is the number of connections from which another poller pays. An
// arrival waits for a connection of its own poller while another may have one
// free; among many connections that is rare.
const enoughForPoller = 16

// pollers is the engine of one thread for each processor.
type pollers struct {
	g    *Generator
	by   []*poller
	all  []*connection
	live atomic.Int64 // pollers that run

	before int // GOMAXPROCS
	raised bool
}

var _ engine = (*pollers)(nil)

func newPollers(g *Generator, plain *plainPlan) (*pollers, error) {
	n := g.settings.connections
	e := &pollers{g: g}
	shards := g.newShards(min(max(1, n/enoughForPoller), runtime.GOMAXPROCS(0), maxShards))
	for i, sh := range shards {
		p, err := newPoller(g, plain)
		if err != nil {
			for _, other := range e.by {
				other.release()
			}
			return nil, err
		}
		p.opener.addrs = plain.addrs()
		e.by = append(e.by, p)
		if g.settings.pacer != nil {
			p.lane = newLane(g.settings.pacer, i, len(shards))
		}
		p.setSockets(i, sh, n, len(shards))
		for j := range p.sockets {
			e.all = append(e.all, &p.sockets[j].connection)
		}
	}
	e.raise()
	return e, nil
}

// setSockets gives the poller its share of n connections.
func (p *poller) setSockets(mine int, sh *shard, n, of int) {
	share := n/of + min(1, max(0, n%of-mine))
	p.sockets = make([]socket, share)
	for _, ring := range []*socketRing{&p.idle, &p.opener.queue, &p.thought} {
		ring.buf = make([]*socket, share)
	}
	for i := range p.sockets {
		s := &p.sockets[i]
		s.id, s.slot, s.index, s.shard, s.fd, s.ep = mine+i*of, i, mine, sh, -1, &p.ep
		s.codec = p.plain.codec(&p.room)
		if p.lane != nil {
			s.lane = mine
			s.current.Store(never)
		}
	}
}

func (e *pollers) connections() []*connection { return e.all }

func (e *pollers) mark() (now int64, heads []head) {
	if e.by[0].lane == nil {
		return e.g.clock.now(), []head{{due: never}}
	}
	for _, p := range e.by {
		heads = append(heads, p.lane.head())
	}
	return e.g.clock.now(), heads
}

// raise gives the rest of the program a P beside those of the pollers. With every P
// in a system call, sysmon looks at them every 20 µs to take one back (runtime/
// proc.go, retake), which cost a tenth of the generator's processor time; and
// whatever else there is to do waited for 10 ms. To change their number waits for the
// end of a collection (runtime/debug.go, GOMAXPROCS: stopTheWorldGC), which the
// histograms of a load begin: at the start that would be time in which requests are due.
func (e *pollers) raise() {
	e.before = runtime.GOMAXPROCS(0)
	if e.before <= len(e.by) {
		e.raised = true
		runtime.GOMAXPROCS(len(e.by) + 1)
	}
}

func (e *pollers) start() time.Time {
	e.live.Store(int64(len(e.by)))
	began := make([]time.Time, len(e.by))
	var up sync.WaitGroup
	up.Add(len(e.by))
	for i, p := range e.by {
		e.g.running.Go(func() {
			began[i] = time.Now()
			up.Done()
			p.run()
			if e.live.Add(-1) == 0 {
				e.lower()
			}
		})
	}
	up.Wait()
	return slices.MaxFunc(began, time.Time.Compare)
}

func (e *pollers) lower() {
	if e.raised {
		runtime.GOMAXPROCS(e.before)
	}
}

func (e *pollers) drop() {
	for _, p := range e.by {
		p.release()
	}
	e.lower()
}

func (e *pollers) close() {
	for _, p := range e.by {
		p.ep.halt()
	}
}
