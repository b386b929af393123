package fleet

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// realm is an operator with an account that has JetStream, as nsc makes them.
type realm struct {
	operator nkeys.KeyPair
	account  nkeys.KeyPair
	claims   *jwt.AccountClaims
	resolver *server.MemAccResolver
	trusted  *jwt.OperatorClaims
	system   string // account of the servers themselves
}

func newRealm(t *testing.T) *realm {
	t.Helper()
	r := &realm{resolver: &server.MemAccResolver{}}
	var public string
	r.operator, public = pair(t, nkeys.CreateOperator)
	r.trusted = jwt.NewOperatorClaims(public)
	if _, err := r.trusted.Encode(r.operator); err != nil {
		t.Fatal(err)
	}
	_, r.system = pair(t, nkeys.CreateAccount)
	r.store(t, jwt.NewAccountClaims(r.system))
	r.account, public = pair(t, nkeys.CreateAccount)
	r.claims = jwt.NewAccountClaims(public)
	r.claims.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: 64 << 20, DiskStorage: 256 << 20, Streams: -1, Consumer: -1}
	r.store(t, r.claims)
	return r
}

func pair(t *testing.T, make func() (nkeys.KeyPair, error)) (nkeys.KeyPair, string) {
	t.Helper()
	p, err := make()
	if err != nil {
		t.Fatal(err)
	}
	public, err := p.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	return p, public
}

func (r *realm) store(t *testing.T, c *jwt.AccountClaims) {
	t.Helper()
	text, err := c.Encode(r.operator)
	if err == nil {
		err = r.resolver.Store(c.Subject, text)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// user makes one of the account, and the file that its program is given.
func (r *realm) user(t *testing.T, change func(*jwt.UserClaims)) (file, public string) {
	t.Helper()
	p, public := pair(t, nkeys.CreateUser)
	c := jwt.NewUserClaims(public)
	if change != nil {
		change(c)
	}
	text, err := c.Encode(r.account)
	if err != nil {
		t.Fatal(err)
	}
	seed, err := p.Seed()
	if err != nil {
		t.Fatal(err)
	}
	creds, err := jwt.FormatUserConfig(text, seed)
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "user.creds")
	if err := os.WriteFile(file, creds, 0o600); err != nil {
		t.Fatal(err)
	}
	return file, public
}

// revoke tells a server that a user is none any more, as `nsc revocations add-user` and a push do.
func (r *realm) revoke(t *testing.T, n *server.Server, public string) {
	t.Helper()
	r.claims.Revoke(public)
	r.store(t, r.claims)
	a, err := n.LookupAccount(r.claims.Subject)
	if err != nil {
		t.Fatal(err)
	}
	n.UpdateAccountClaims(a, r.claims)
}

// serve starts a server of the realm, which ends with the test.
func (r *realm) serve(t *testing.T, o server.Options) *server.Server {
	t.Helper()
	o.Host, o.Port, o.NoLog, o.NoSigs = "127.0.0.1", server.RANDOM_PORT, true, true
	o.JetStream = true
	if o.StoreDir == "" {
		o.StoreDir = t.TempDir()
	}
	o.TrustedOperators, o.AccountResolver, o.SystemAccount = []*jwt.OperatorClaims{r.trusted}, r.resolver, r.system
	n, err := server.NewServer(&o)
	if err != nil {
		t.Fatal(err)
	}
	n.Start()
	t.Cleanup(func() {
		n.Shutdown()
		n.WaitForShutdown()
	})
	if !n.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not listen")
	}
	return n
}
