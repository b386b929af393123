package evidence

import (
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// signalRow names functions by which a cost is recognised: a symbol, or a prefix
// that ends in "*".
type signalRow struct {
	id       facts.SignalID
	patterns []string
}

// signalTable lists the recognised costs. Decoding is not encoding: rules ask for
// output that is made again and again.
func signalTable() []signalRow {
	return []signalRow{
		{facts.SignalDial, []string{
			"net.(*Dialer).DialContext", "net.(*sysDialer)*", "net/http.(*Transport).dialConn", "net/http.(*Transport).dialConnFor",
			"github.com/valyala/fasthttp.(*HostClient).dialHostHard", "github.com/valyala/fasthttp.(*TCPDialer)*",
		}},
		{facts.SignalHandshake, []string{"crypto/tls.(*Conn).HandshakeContext", "crypto/tls.(*Conn).Handshake", "crypto/tls.(*Conn).handshakeContext", "crypto/tls.(*Conn).clientHandshake", "crypto/tls.(*Conn).serverHandshake"}},
		{facts.SignalEncode, []string{
			"encoding/json.Marshal*", "encoding/json.(*Encoder).Encode", "encoding/json/v2.Marshal*", "encoding/xml.Marshal*", "encoding/xml.(*Encoder).Encode*",
			"encoding/gob.(*Encoder).Encode*", "encoding/csv.(*Writer)*", "encoding/base64.(*Encoding).Encode*", "encoding/hex.Encode*",
			"image/png.Encode", "image/png.(*Encoder).Encode", "image/jpeg.Encode", "image/gif.Encode*",
			"compress/gzip.(*Writer)*", "compress/flate.(*Writer)*", "compress/flate.(*compressor)*", "compress/zlib.(*Writer)*",
			"html/template.(*Template).Execute*", "text/template.(*Template).Execute*",
			"crypto/sha1.*", "crypto/sha256.*", "crypto/sha512.*", "crypto/md5.*", "crypto/hmac.*", "hash/*", "golang.org/x/crypto/bcrypt.*",
			"golang.org/x/crypto/argon2.*", "golang.org/x/crypto/scrypt.*", "golang.org/x/crypto/pbkdf2.*", "crypto/pbkdf2.*",
			"google.golang.org/protobuf/proto.Marshal*", "google.golang.org/protobuf/proto.MarshalOptions.Marshal*",
			"github.com/golang/protobuf/proto.Marshal*", "github.com/json-iterator/go.(*frozenConfig).Marshal*", "github.com/goccy/go-json.Marshal*",
			"github.com/bytedance/sonic.Marshal*", "github.com/klauspost/compress/*", "github.com/andybalholm/brotli.(*Writer)*", "gopkg.in/yaml%2ev3.Marshal",
		}},
		{facts.SignalWrite, []string{"syscall.Write", "syscall.write", "syscall.Sendto", "syscall.sendto", "syscall.SendmsgN", "syscall.writev", "internal/poll.writev", "internal/poll.(*FD).Writev", "internal/poll.SendFile"}},
		{facts.SignalRead, []string{"syscall.Read", "syscall.read", "syscall.Recvfrom", "syscall.recvfrom", "syscall.Recvmsg", "syscall.Pread", "syscall.pread"}},
		{facts.SignalAccept, []string{"internal/poll.accept", "syscall.Accept4", "syscall.accept4"}},
		{facts.SignalFsync, []string{"syscall.Fsync", "syscall.Fdatasync", "internal/poll.(*FD).Fsync", "golang.org/x/sys/unix.Fsync", "golang.org/x/sys/unix.Fdatasync"}},
		{facts.SignalRegexp, []string{"regexp.Compile", "regexp.MustCompile", "regexp.compile", "regexp.CompilePOSIX", "regexp.MatchString", "regexp.Match"}},
		{facts.SignalReflect, []string{"reflect.*"}},
	}
}

// recogniser finds signals in functions and remembers what it found.
type recogniser struct {
	rows  []signalRow
	known map[string][]facts.SignalID
}

func (g *recogniser) of(function string) []facts.SignalID {
	ids, ok := g.known[function]
	if ok {
		return ids
	}
	for _, row := range g.rows {
		for _, p := range row.patterns {
			prefix, wide := strings.CutSuffix(p, "*")
			if function == p || wide && strings.HasPrefix(function, prefix) {
				ids = append(ids, row.id)
				break
			}
		}
	}
	g.known[function] = ids
	return ids
}

// signalKey is what signals are summed by.
type signalKey struct {
	id   facts.SignalID
	site unpark.Site
	leaf string
}

// signals sums CPU on the request path under recognised frames.
func signals(p *profiles) []facts.Signal {
	g := &recogniser{rows: signalTable(), known: map[string][]facts.SignalID{}}
	sums := tally[signalKey]{}
	leaves := map[signalKey]unpark.Site{}
	for _, s := range p.stacks[unpark.KindCPU] {
		if s.label.Side != unpark.RequestPath {
			continue
		}
		for id, i := range g.find(s) {
			key := signalKey{id, s.site(), s.sites[i].Function}
			if s.label.App < 0 {
				key.site = plumbed(s.sites[i+1:], s.sites[i])
			}
			sums.add(key, s, s.value, s.count)
			leaves[key] = s.sites[i]
		}
	}
	rows := make([]facts.Signal, 0, len(sums))
	for k, v := range sums.all() {
		rows = append(rows, facts.Signal{ID: k.id, Site: k.site, Leaf: leaves[k], CPU: v.value, Stack: clip(v.stack)})
	}
	return largest(rows, func(s facts.Signal) float64 { return s.CPU }, func(s facts.Signal) unpark.Site { return s.Leaf })
}

// find returns, for each signal of a stack, the outermost recognised frame below
// the application: the call that the application made. Hashing within a TLS
// connection is part of the connection.
func (g *recogniser) find(s stack) map[facts.SignalID]int {
	end := len(s.sites)
	if s.label.App >= 0 {
		end = s.label.App
	}
	var out map[facts.SignalID]int
	tls := false
	for i := end - 1; i >= 0; i-- {
		tls = tls || strings.HasPrefix(s.sites[i].Function, "crypto/tls.")
		for _, id := range g.of(s.sites[i].Function) {
			if tls && id == facts.SignalEncode {
				continue
			}
			if out == nil {
				out = map[facts.SignalID]int{}
			}
			if _, ok := out[id]; !ok {
				out[id] = i
			}
		}
	}
	return out
}
