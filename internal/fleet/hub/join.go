package hub

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// Identity is what a coordinator with an embedded server is known by. It is kept, so that
// agents which were given its Join find it again.
type Identity struct {
	token string
	pair  tls.Certificate
}

// JoinFile is the name of the credential that agents are given.
const JoinFile = "join"

// mark begins every Join, so that a file with something else is told.
const mark = "unpark-join-1"

// Open reads the identity in a folder, or makes one there. made says that the Join file is
// new: that is the only time at which anything need be copied to agents.
func Open(dir string) (id Identity, join string, made bool, err error) {
	join = filepath.Join(dir, JoinFile)
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	if _, err := os.Stat(join); errors.Is(err, fs.ErrNotExist) {
		if err := create(dir, join, cert, key); err != nil {
			return Identity{}, "", false, fmt.Errorf("make an identity for agents in %s: %w", dir, err)
		}
		made = true
	}
	if id.pair, err = tls.LoadX509KeyPair(cert, key); err == nil {
		var j Join
		j, err = ReadJoin(join)
		id.token = j.token
	}
	if err != nil {
		return Identity{}, "", false, fmt.Errorf("read the identity for agents in %s: %w: remove the folder to make a new one", dir, err)
	}
	return id, join, made, nil
}

func create(dir, join, cert, key string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: "unpark"},
		NotBefore: now.Add(-24 * time.Hour), NotAfter: now.AddDate(10, 0, 0), // pinned: agents' clocks may be off
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(der)
	return errors.Join(
		write(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		write(key, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret})),
		write(join, []byte(mark+" "+rand.Text()+rand.Text()+" "+hex.EncodeToString(sum[:])+"\n")), // last: it says that all is there
	)
}

func write(name string, text []byte) error { return os.WriteFile(name, text, 0o600) }

func (id Identity) tls() *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{id.pair}, MinVersion: tls.VersionTLS13}
}

// Join is how one is an agent of a server. Its text is a secret.
type Join struct {
	token string
	sum   string // of the certificate; hexadecimal SHA-256
	file  string // of the user's NATS: a credentials file, or an NKey's seed
}

// ParseJoin reads the text of a Join.
func ParseJoin(text string) (Join, error) {
	f := strings.Fields(text)
	if len(f) != 3 || f[0] != mark || len(f[2]) != 2*sha256.Size {
		return Join{}, errors.New("it is no join credential: copy the file that `unpark load --agents` or `unpark agents` has named, whole")
	}
	return Join{token: f[1], sum: f[2]}, nil
}

// ReadJoin reads a credential from a file: a Join, or of the user's own NATS a credentials
// file or the seed of an NKey.
func ReadJoin(name string) (Join, error) {
	f, err := os.Open(name)
	if err != nil {
		return Join{}, fmt.Errorf("read the credential: %w: copy the file that `unpark agents` names where the coordinator is", err)
	}
	defer f.Close()
	const most = 64 << 10
	text, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return Join{}, fmt.Errorf("read the credential: %w", err)
	}
	if s := string(text); strings.Contains(s, "BEGIN NATS USER JWT") || strings.HasPrefix(strings.TrimSpace(s), "SU") {
		return Join{file: name}, nil
	}
	j, err := ParseJoin(string(text))
	if err != nil {
		return j, fmt.Errorf("read the credential %s: %w", name, err)
	}
	return j, nil
}

// Empty reports whether there is no credential.
func (j Join) Empty() bool { return j.token == "" && j.file == "" }

// options authenticate. A certificate is pinned where the Join has its fingerprint; that of
// the user's own server is verified as any other.
func (j Join) options(address string) ([]nats.Option, error) {
	near := loopback(hostOf(address))
	var out []nats.Option
	switch {
	case j.token != "":
		out = append(out, nats.UserInfo(agent, j.token))
		if !near {
			out = append(out, nats.Secure(j.pinned()))
		}
	case j.file != "":
		text, err := os.ReadFile(j.file)
		if err != nil {
			return nil, fmt.Errorf("read the credential: %w", err)
		}
		if strings.Contains(string(text), "BEGIN NATS USER JWT") {
			out = append(out, nats.UserCredentials(j.file))
		} else {
			o, err := nats.NkeyOptionFromSeed(j.file)
			if err != nil {
				return nil, fmt.Errorf("read the seed %s: %w", j.file, err)
			}
			out = append(out, o)
		}
		fallthrough
	default:
		if !near {
			out = append(out, nats.Secure(&tls.Config{MinVersion: tls.VersionTLS12}))
		}
	}
	return out, nil
}

// errOther is said of a server whose certificate is not the one of a Join.
var errOther = errors.New("the server's certificate is not the one that the join credential names")

// pinned accepts the one certificate, whatever names it has.
func (j Join) pinned() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13, InsecureSkipVerify: true, //nolint:gosec // VerifyConnection compares the certificate itself
		VerifyConnection: func(s tls.ConnectionState) error {
			if len(s.PeerCertificates) > 0 {
				if sum := sha256.Sum256(s.PeerCertificates[0].Raw); hex.EncodeToString(sum[:]) == j.sum {
					return nil
				}
			}
			return errOther
		},
	}
}

// DialAgent connects an agent; it goes on trying until the server is there. One that is refused does so as well, because another
// coordinator may have the address for a while: the client would give up for good at the second refusal.
func (j Join) DialAgent(address string, o ...nats.Option) (*nats.Conn, error) {
	return j.dial(address, agent, append(o, nats.RetryOnFailedConnect(true), nats.IgnoreAuthErrorAbort()))
}

// Trouble is why a connection that is sought cannot be made, or what its user may not do there; nil where it is good, and where no
// server answers: an agent may be started first. The client's handlers are told nothing of a refusal before the first connection.
func Trouble(nc *nats.Conn, address string) error {
	err := nc.LastError()
	var network net.Error
	switch {
	case errors.Is(err, nats.ErrPermissionViolation):
		return fmt.Errorf("join at %s: %w: give the user of the credential the rights of an agent, which docs/fleet.md lists", shown(address), err)
	case nc.IsConnected(), err == nil, errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrStaleConnection), errors.Is(err, io.EOF), errors.As(err, &network):
		return nil
	}
	return explained(address, err)
}

// unwelcome is true of a user that a server refuses, or does no more have.
func unwelcome(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked) ||
		strings.Contains(strings.ToLower(err.Error()), "authorization violation")
}

// refused is why a request got no answer: the server tells of a right that is missing beside it.
func refused(nc *nats.Conn, err error) error {
	if last := nc.LastError(); errors.Is(last, nats.ErrPermissionViolation) {
		return last
	}
	return err
}

// DialCoordinator connects a coordinator to the user's own NATS.
func (j Join) DialCoordinator(address string) (*nats.Conn, error) {
	return j.dial(address, coordinator, nil)
}

func (j Join) dial(address, who string, more []nats.Option) (*nats.Conn, error) {
	o, err := j.options(address)
	if err != nil {
		return nil, err
	}
	nc, err := nats.Connect(address, append(append(patient(who), o...), more...)...)
	if err != nil {
		return nil, explained(address, err)
	}
	return nc, nil
}

// explained says what can be done when a server is not reached.
func explained(address string, err error) error {
	cure := "is it a NATS server, and the credential one of its own?"
	var unknown x509.UnknownAuthorityError
	switch {
	case errors.Is(err, nats.ErrSecureConnWanted): // so the client calls a server that offers no TLS
		cure = "beyond loopback unpark speaks TLS alone, and this server offers none: add a tls block to its configuration"
	case errors.Is(err, errOther), unwelcome(err):
		cure = "is it another coordinator's? copy the credential again from the file that `unpark agents` names there; of a NATS server of your own, see whether the user's credential has expired or was revoked"
	case errors.Is(err, nats.ErrNoServers):
		cure = "nothing answers there: is the server started, and is that its address?"
	case errors.As(err, &unknown):
		cure = "name the authority of its certificate in $SSL_CERT_FILE"
	}
	return fmt.Errorf("connect to %s: %w: %s", shown(address), err, cure)
}

// shown is an address without a user and password.
func shown(address string) string {
	if i := strings.LastIndexByte(address, '@'); i >= 0 {
		return "nats://" + address[i+1:]
	}
	return address
}
