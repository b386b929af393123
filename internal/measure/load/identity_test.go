package load

import (
	"net"
	"net/http"
	"regexp"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/requests"
)

// parents collects the traceparent of every request.
type parents struct {
	mu  sync.Mutex
	all []string
	own int // of the header that the plan's user has set
}

const ownParent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

func (p *parents) add(values []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(values) == 1 && values[0] == ownParent {
		p.own++
		return
	}
	p.all = append(p.all, values...)
	if len(values) != 1 {
		p.all = append(p.all, "so many: "+http.StatusText(len(values)))
	}
}

// TestTraceparent: over every protocol and by both engines each request has an identity of its own that is unpark's and
// not sampled, whether it differs in something else or not, and a header of the user's stays.
func TestTraceparent(t *testing.T) {
	path, err := requests.Compile([]byte("/{{counter}}"), requests.Values{})
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`^00-756e7061726b0000[0-9a-f]{16}-8[0-9a-f]{15}-00$`)
	for _, c := range []struct {
		name, protocol string
		engine         string
	}{
		{"h1", protoHTTP1, ""},
		{"h2c", protoH2C, ""},
		{"h2c by goroutines", protoH2C, engineCrew},
		{"h2", protoH2, ""},
		{"grpc", protoGRPC, ""},
		{"grpc by goroutines", protoGRPC, engineCrew},
		{"grpc in net/http", "handler", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := &parents{}
			seen := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { p.add(r.Header.Values("Traceparent")) })
			plan := unpark.Plan{Mode: unpark.Constant, RateRPS: 600, Connections: 4, Timeout: 5, Traceparent: true, Seed: 1}
			own := map[string][]string{"Traceparent": {ownParent}}
			switch c.protocol {
			case protoGRPC, "handler":
				url := "grpc://" + metadataOf(t, p, c.protocol == "handler") + "/test.Echo/Unary"
				body := []byte{0, 0, 0, 0, 2, 'h', 'i'}
				plan.Requests = []unpark.Request{{URL: url, Body: body}, {URL: url, Body: body, Header: own}}
			default:
				plan.Protocol = c.protocol
				url := ""
				if c.protocol == protoHTTP1 {
					url = serve(t, seen)
				} else {
					url = serveH2(t, c.protocol, seen)
				}
				plan.Requests = []unpark.Request{{URL: url + "/"}, {URL: url + "/", Target: path}, {URL: url + "/", Method: "POST", Body: []byte("x")}, {URL: url + "/", Header: own}}
			}
			s, err := newSettings(plan)
			if err != nil {
				t.Fatal(err)
			}
			if c.engine != "" {
				s.engine = c.engine
			}
			g, err := s.start(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(500 * time.Millisecond)
			g.Stop()
			p.mu.Lock()
			defer p.mu.Unlock()
			if len(p.all) < 20 || p.own < 5 {
				t.Fatalf("%d requests have an identity, %d the user's", len(p.all), p.own)
			}
			once := map[string]bool{}
			for _, v := range p.all {
				if !form.MatchString(v) || once[v] {
					t.Fatalf("%q, again: %v", v, once[v])
				}
				once[v] = true
			}
		})
	}
}

// metadataOf serves gRPC, by its own server or inside of net/http's, and collects what calls carry.
func metadataOf(t *testing.T, p *parents, handler bool) string {
	t.Helper()
	s := grpc.NewServer(grpc.ForceServerCodec(bytesCodec{}), grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
		if !handler {
			md, _ := metadata.FromIncomingContext(stream.Context())
			p.add(md.Get("traceparent"))
		}
		var in []byte
		if err := stream.RecvMsg(&in); err != nil {
			return err
		}
		return stream.SendMsg(&in)
	}))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if !handler {
		go func() { _ = s.Serve(l) }()
		t.Cleanup(s.Stop)
		return l.Addr().String()
	}
	h := &http.Server{ReadHeaderTimeout: time.Second, Protocols: new(http.Protocols), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.add(r.Header.Values("Traceparent")) // where probe.Handler looks
		s.ServeHTTP(w, r)
	})}
	h.Protocols.SetUnencryptedHTTP2(true)
	go func() { _ = h.Serve(l) }()
	t.Cleanup(func() { _ = h.Close() })
	return l.Addr().String()
}
