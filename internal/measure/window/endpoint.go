package window

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
)

const (
	maxProfile = 256 << 20 // compressed bytes accepted from one endpoint
	patience   = 20 * time.Second
)

// Endpoint is the profiling endpoint of one process: unpark's probe, or plain
// net/http/pprof.
type Endpoint struct {
	Address string // as given, without secrets
	// PID numbers the process in files and documents. It is no number of this machine;
	// see Local. 0 while unknown, negative for one that has none of its own (Number).
	PID  int
	Info *Info // nil without unpark's probe
	// Local is the number of the process on this machine, 0 unless that is certain: what
	// /proc says of a number belongs to whatever process has it here.
	Local int
	// Machine tells endpoints of one machine from those of another; empty: this one.
	Machine string

	base   string // URL before the kind's name, with a trailing slash
	socket string // path of the unix socket; empty over TCP
	root   string // scheme and host, for the probe's own pages
	token  string
	user   *url.Userinfo // sent where there is no token; nil for none
	client *http.Client
}

// Info is what the probe says of its process.
type Info struct {
	Schema        string        `json:"schema"`
	PID           int           `json:"pid"`
	Parent        int           `json:"ppid"`
	Go            string        `json:"go"`
	GOMAXPROCS    int           `json:"gomaxprocs"`
	NumCPU        int           `json:"num_cpu"`
	Module        string        `json:"module"`
	Own           []string      `json:"own"` // modules that were built from folders beside the main one; none of an older probe
	BlockRate     unpark.Number `json:"block_rate"`
	MutexFraction unpark.Number `json:"mutex_fraction"`
	Flight        bool          `json:"flight_recorder"` // it can be armed (Go 1.25)
	Vitals        bool          `json:"vitals"`          // they can be followed; not of an older probe
	Middleware    bool          `json:"middleware"`      // requests can be timed
	Boot          string        `json:"boot_id"`         // of the kernel it runs on; empty when it does not say
	StartTicks    uint64        `json:"start_ticks"`     // when it began, 1/100 s since that kernel's boot; 0 when it does not say
	Attached      bool          `json:"attached"`        // it is read from outside
	ReadOnly      bool          `json:"read_only"`       // and nothing is written into it
	Living        unpark.Number `json:"living"`          // about how many goroutines it has; of one that is read from outside alone
}

// NewEndpoint reads an address: "unix:///path.sock", or with a path
// "unix:///path.sock:/debug/pprof"; "http://host:port",
// "host:port", or a URL with the path under which net/http/pprof is mounted.
// The token is sent as a bearer token when it is not empty, else the user and password
// of the URL.
func NewEndpoint(address, token string) (*Endpoint, error) {
	e := &Endpoint{Address: unpark.RedactURL(address), token: token}
	dial := (&net.Dialer{Timeout: 5 * time.Second}).DialContext
	if path, ok := strings.CutPrefix(address, "unix://"); ok {
		if path == "" {
			return nil, fmt.Errorf("pprof endpoint %q: no socket path: write unix:///path/to.sock", e.Address)
		}
		mounted := ""
		if socket, target, ok := unpark.SplitUnix(address); ok {
			path, mounted = socket, target
		}
		e.socket = path
		e.at("http://unix", mounted)
		dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, "unix", path)
		}
	} else if err := e.parse(address); err != nil {
		return nil, err
	}
	e.client = &http.Client{
		Transport:     &http.Transport{DialContext: dial, MaxIdleConnsPerHost: 4, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return e, nil
}

func (e *Endpoint) parse(address string) error {
	text := address
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("pprof endpoint %q is no address: write http://host:port/debug/pprof or unix:///path.sock", e.Address)
	}
	e.user = u.User
	e.at(u.Scheme+"://"+u.Host, u.Path)
	return nil
}

// at sets where the pages are: path is that of any page of net/http/pprof, or empty.
func (e *Endpoint) at(root, path string) {
	if before, _, ok := strings.Cut(path, "/debug/pprof"); ok {
		path = before + "/debug/pprof"
	}
	if path == "" || path == "/" {
		path = "/debug/pprof"
	}
	e.root, e.base = root, root+strings.TrimSuffix(path, "/")+"/"
}

// Hostport returns the TCP address behind the endpoint, empty for a socket.
func (e *Endpoint) Hostport() string {
	u, err := url.Parse(e.root)
	if err != nil || u.Host == "unix" {
		return ""
	}
	switch {
	case u.Port() != "":
	case u.Scheme == "https":
		return u.Host + ":443"
	default:
		return u.Host + ":80"
	}
	return u.Host
}

// attached reports whether the process is read from outside: then there are no traces, and
// none of the kinds that nothing in its memory tells of.
func (e *Endpoint) attached() bool { return e != nil && e.Info != nil && e.Info.Attached }

// At reports whether an address is the endpoint's.
func (e *Endpoint) At(address string) bool { return e.socket != "" && address == "unix://"+e.socket }

// Close drops the endpoint's idle connections.
func (e *Endpoint) Close() { e.client.CloseIdleConnections() }

// Probe asks who answers. It sets Info and PID when unpark's probe does, and is
// satisfied with net/http/pprof when a profile can be had.
func (e *Endpoint) Probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	body, err := e.get(ctx, e.root+"/debug/unpark/info", 1<<20)
	if err == nil {
		var info Info
		if json.Unmarshal(body, &info) == nil && strings.HasPrefix(info.Schema, "unpark.probe/") {
			e.Info, e.PID = &info, info.PID
			if info.Attached {
				e.Address = "process " + strconv.Itoa(info.PID)
			}
			return nil
		}
	}
	// Few threads are made, and a profile of them is small: one of a million goroutines takes the
	// service a minute.
	if body, err = e.get(ctx, e.base+"threadcreate?debug=0", maxProfile); err == nil && gzipped(body) {
		return nil
	}
	body, err = e.get(ctx, e.base+"goroutine?debug=0", maxProfile)
	if err != nil {
		return fmt.Errorf("reach pprof at %s: %w", e.Address, err)
	}
	if !gzipped(body) {
		return fmt.Errorf("reach pprof at %s: the answer is %s, not a profile: name the path under which net/http/pprof is mounted, such as http://host:6060/debug/pprof", e.Address, describe(body))
	}
	return nil
}

// Read fetches one reading of a kind; a trace is streamed by record instead. A CPU
// profile lasts seconds, which are whole; other kinds ignore it.
func (e *Endpoint) Read(ctx context.Context, kind unpark.Kind, seconds float64) ([]byte, error) {
	body, _, err := read(ctx, e, kind, seconds, 0)
	return body, err
}

// read is Read of a CPU profile with so many samples a second, 0: as many as its endpoint takes by itself. Others than the
// probe take no more.
func read(ctx context.Context, e *Endpoint, kind unpark.Kind, seconds float64, hertz int) ([]byte, unpark.Number, error) {
	wait := patience
	query := ""
	if kind.Reading() == unpark.Interval {
		query = "?seconds=" + strconv.FormatFloat(seconds, 'f', -1, 64)
		if hertz > 0 {
			query += "&hz=" + strconv.Itoa(hertz)
		}
		wait += time.Duration(seconds * float64(time.Second))
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	body, cost, err := priced(ctx, e, e.base+kind.Endpoint()+query, maxProfile)
	if err != nil {
		return nil, cost, fmt.Errorf("read %s profile from %s: %w", kind, e.Address, err)
	}
	return body, cost, nil
}

// Collect has the process collect its garbage, which ends when that has. Its profile of allocations is of what was allocated
// before the collection before the last one (runtime/mprof.go, memRecord.future): of a service that fills its memory when it
// starts, and then has garbage for few collections, a window would begin before what it was filled with.
func (e *Endpoint) Collect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if _, err := e.get(ctx, e.base+unpark.KindHeap.Endpoint()+"?gc=1", maxProfile); err != nil {
		return fmt.Errorf("collect garbage by %s: %w", e.Address, err)
	}
	return nil
}

func (e *Endpoint) get(ctx context.Context, address string, limit int64) ([]byte, error) {
	body, _, err := priced(ctx, e, address, limit)
	return body, err
}

// costTrailer ends an answer of the probe with the CPU seconds that it took of its process (probe/agent).
const costTrailer = "Unpark-Cpu-Seconds"

// priced is get that also returns what the answer took of the process in CPU seconds, where it says so.
func priced(ctx context.Context, e *Endpoint, address string, limit int64) ([]byte, unpark.Number, error) {
	resp, err := e.open(ctx, address)
	if err != nil {
		return nil, unpark.Number{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return nil, unpark.Number{}, fmt.Errorf("answer cut off after %d bytes: %w", len(body), err)
	}
	if int64(len(body)) > limit {
		return nil, unpark.Number{}, fmt.Errorf("answer is larger than %d MB: use a shorter window", limit>>20)
	}
	if cost, err := strconv.ParseFloat(resp.Trailer.Get(costTrailer), 64); err == nil && cost >= 0 && !math.IsInf(cost, 1) {
		return body, unpark.Num(cost), nil
	}
	return body, unpark.Number{}, nil
}

// open sends the request and checks the status: net/http/pprof answers errors
// with a text body, which a decoder would take for a broken profile.
func (e *Endpoint) open(ctx context.Context, address string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if e.token != "" {
		req.Header.Set("Authorization", "Bearer "+e.token)
	} else if e.user != nil {
		password, _ := e.user.Password()
		req.SetBasicAuth(e.user.Username(), password)
	}
	resp, err := e.client.Do(req)
	if err != nil {
		return nil, plain(err)
	}
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 2000))
		resp.Body.Close()
		said := describe(text)
		if e.attached() { // unpark's own words, which end with what would help
			said = strings.TrimSpace(string(text))
		}
		return nil, &statusError{resp.StatusCode, said}
	}
	return resp, nil
}
