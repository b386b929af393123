// Receipts over gRPC: each is signed with the key that the service has from the machine's SPIFFE agent, a process beside it, which takes 3 ms
// to say what the service's identity is.
package main

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/url"
	"os"
	"time"

	"github.com/spiffe/go-spiffe/v2/proto/spiffe/workload"
	"github.com/spiffe/go-spiffe/v2/svid/x509svid"
	"github.com/spiffe/go-spiffe/v2/workloadapi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

// notary signs receipts.
type notary struct {
	testpb.UnimplementedTestServiceServer
	agent  string
	source *workloadapi.X509Source // kept, if it is
}

func open(ctx context.Context, agent string) (*notary, error) {
	n := &notary{agent: "tcp://" + agent}
	if !service.After() {
		return n, nil
	}
	var err error
	n.source, err = workloadapi.NewX509Source(ctx, workloadapi.WithClientOptions(workloadapi.WithAddr(n.agent)))
	return n, err
}

// identity is what the service is now.
func (n *notary) identity(ctx context.Context) (*x509svid.SVID, error) {
	if n.source != nil {
		return n.source.GetX509SVID()
	}
	return workloadapi.FetchX509SVID(ctx, workloadapi.WithAddr(n.agent))
}

// UnaryCall signs a receipt.
func (n *notary) UnaryCall(ctx context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	receipt := in.GetPayload().GetBody()
	if len(receipt) == 0 {
		return nil, status.Error(codes.InvalidArgument, "what was paid?")
	}
	id, err := n.identity(ctx)
	if err != nil {
		return nil, status.Error(codes.Unavailable, err.Error())
	}
	sum := sha256.Sum256(receipt)
	sig, err := id.PrivateKey.Sign(rand.Reader, sum[:], crypto.SHA256)
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	out := fmt.Sprintf("%s %s", id.ID, base64.RawURLEncoding.EncodeToString(sig))
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: []byte(out)}}, nil
}

func main() {
	if os.Getenv("ROLE") == "agent" {
		agent()
		return
	}
	n, err := open(context.Background(), service.Beside("agent"))
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, n)
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}

// workloads says what asks it is.
type workloads struct {
	workload.UnimplementedSpiffeWorkloadAPIServer
	svid *workload.X509SVID
}

// FetchX509SVID answers once, and again when an identity changes, which none does here.
func (a *workloads) FetchX509SVID(_ *workload.X509SVIDRequest, out workload.SpiffeWorkloadAPI_FetchX509SVIDServer) error {
	time.Sleep(3 * time.Millisecond)
	if err := out.Send(&workload.X509SVIDResponse{Svids: []*workload.X509SVID{a.svid}}); err != nil {
		return err
	}
	<-out.Context().Done()
	return nil
}

func agent() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	id := &url.URL{Scheme: "spiffe", Host: "shop.example", Path: "/receipts"}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(7), URIs: []*url.URL{id}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature,
	}
	root := &x509.Certificate{
		SerialNumber: big.NewInt(1), URIs: []*url.URL{{Scheme: "spiffe", Host: "shop.example"}}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: leaf.NotBefore, NotAfter: leaf.NotAfter, KeyUsage: x509.KeyUsageCertSign,
	}
	bundle, err := x509.CreateCertificate(rand.Reader, root, root, key.Public(), key)
	if err != nil {
		log.Fatal(err)
	}
	cert, err := x509.CreateCertificate(rand.Reader, leaf, root, key.Public(), key)
	if err != nil {
		log.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	workload.RegisterSpiffeWorkloadAPIServer(srv, &workloads{svid: &workload.X509SVID{SpiffeId: id.String(), X509Svid: cert, X509SvidKey: der, Bundle: bundle}})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go srv.Serve(ln)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
