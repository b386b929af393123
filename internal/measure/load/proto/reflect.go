package proto

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	pb "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/unpark-go/unpark"
)

// askTimeout bounds all questions to a server.
const askTimeout = 10 * time.Second

// instead is the cure where a server tells nothing.
const instead = "name a descriptor set (--protoset) or .proto files (--proto), or let the server register reflection"

// ask gets the files of all services of a server, and why some are missing.
func ask(ctx context.Context, s Source) (files []*descriptorpb.FileDescriptorProto, missing []error, err error) {
	conn, err := connect(s)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = conn.Close() }()
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	md := metadata.MD{}
	for name, values := range s.Header {
		md.Append(name, values...)
	}
	ctx = metadata.NewOutgoingContext(ctx, md)
	// Both versions have the same messages; only the service's name differs.
	for _, version := range []string{"v1", "v1alpha"} {
		r := &reflector{budget: newBudget(), files: map[string]bool{}}
		if err = r.read(ctx, conn, version); err == nil {
			return r.found, r.missing, nil
		}
		if status.Code(err) != codes.Unimplemented {
			break
		}
	}
	return nil, nil, why(s.Reflect, err)
}

// why words what a server answered, with the cure.
func why(target string, err error) error {
	st := status.Convert(err)
	words := st.Code().String()
	if m := st.Message(); m != "" {
		words += ": " + m
	}
	switch st.Code() {
	case codes.Unimplemented:
		return fmt.Errorf("%s does not serve reflection (%s); %s", target, words, instead)
	case codes.Unavailable, codes.DeadlineExceeded:
		return fmt.Errorf("ask %s by reflection: %s; is it running, is the port that of gRPC, and does it want TLS (grpcs://)?", target, words)
	case codes.Unauthenticated, codes.PermissionDenied:
		return fmt.Errorf("ask %s by reflection: %s; send credentials with --header, or %s", target, words, instead)
	}
	return fmt.Errorf("ask %s by reflection: %s; %s", target, words, instead)
}

// connect prepares a connection; nothing is dialled yet.
func connect(s Source) (*grpc.ClientConn, error) {
	u, err := url.Parse(s.Reflect)
	if err != nil || u.Port() == "" || u.Scheme != "grpc" && u.Scheme != "grpcs" {
		return nil, fmt.Errorf("reflection at %q: write grpc://host:port, or grpcs://host:port for TLS", unpark.RedactURL(s.Reflect))
	}
	dial := s.Dial
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	creds := insecure.NewCredentials()
	if u.Scheme == "grpcs" {
		c := s.TLS
		if c == nil {
			c = &tls.Config{InsecureSkipVerify: loopback(u.Hostname())} //nolint:gosec // a certificate proves nothing there
		}
		creds = credentials.NewTLS(c)
	}
	return grpc.NewClient("passthrough:///"+u.Host, grpc.WithTransportCredentials(creds), grpc.WithNoProxy(),
		grpc.WithDisableServiceConfig(), grpc.WithUserAgent("unpark"),
		grpc.WithContextDialer(func(ctx context.Context, addr string) (net.Conn, error) { return dial(ctx, "tcp", addr) }),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxInput)))
}

func loopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && addr.IsLoopback()
}

// reflector asks one server, over one stream.
type reflector struct {
	stream  grpc.ClientStream
	budget  *budget
	files   map[string]bool // that are known, or that the server does not have
	found   []*descriptorpb.FileDescriptorProto
	missing []error
}

func (r *reflector) read(ctx context.Context, conn *grpc.ClientConn, version string) error {
	var err error
	desc := &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}
	if r.stream, err = conn.NewStream(ctx, desc, "/grpc.reflection."+version+".ServerReflection/ServerReflectionInfo"); err != nil {
		return err
	}
	answer, err := r.ask(&pb.ServerReflectionRequest{MessageRequest: &pb.ServerReflectionRequest_ListServices{}})
	if err != nil {
		return err
	}
	for _, s := range answer.GetListServicesResponse().GetService() {
		if strings.HasPrefix(s.GetName(), "grpc.reflection.") {
			continue
		}
		q := &pb.ServerReflectionRequest{MessageRequest: &pb.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: s.GetName()}}
		if err := r.get("service "+s.GetName(), q); err != nil {
			return err
		}
	}
	return r.imports()
}

// imports gets what the files import and the server has not sent along.
func (r *reflector) imports() error {
	for i := 0; i < len(r.found); i++ { // it grows
		for _, name := range r.found[i].GetDependency() {
			if r.files[name] {
				continue
			}
			r.files[name] = true
			q := &pb.ServerReflectionRequest{MessageRequest: &pb.ServerReflectionRequest_FileByFilename{FileByFilename: name}}
			if err := r.get("file "+name, q); err != nil {
				return err
			}
		}
		if len(r.found) > maxFiles {
			return fmt.Errorf("more than %d files", maxFiles)
		}
	}
	return nil
}

// get gets files. That the server does not have them is noted; an error is of the
// connection.
func (r *reflector) get(what string, q *pb.ServerReflectionRequest) error {
	answer, err := r.ask(q)
	if err != nil {
		return err
	}
	if e := answer.GetErrorResponse(); e != nil {
		// protobuf's own files need not come from the server.
		if !strings.HasPrefix(q.GetFileByFilename(), "google/protobuf/") {
			r.missing = append(r.missing, fmt.Errorf("the server does not describe its %s: %s", what, e.GetErrorMessage()))
		}
		return nil
	}
	for _, b := range answer.GetFileDescriptorResponse().GetFileDescriptorProto() {
		if err := r.budget.take(len(b)); err != nil {
			return err
		}
		f := &descriptorpb.FileDescriptorProto{}
		if err := proto.Unmarshal(b, f); err != nil {
			r.missing = append(r.missing, fmt.Errorf("the server's description of its %s is malformed: %w", what, err))
			continue
		}
		if !r.files[f.GetName()] || q.GetFileByFilename() == f.GetName() {
			r.files[f.GetName()] = true
			r.found = append(r.found, f)
		}
	}
	return nil
}

func (r *reflector) ask(q *pb.ServerReflectionRequest) (*pb.ServerReflectionResponse, error) {
	// Why it cannot be sent, RecvMsg says.
	_ = r.stream.SendMsg(q)
	answer := &pb.ServerReflectionResponse{}
	if err := r.stream.RecvMsg(answer); err != nil {
		return nil, err
	}
	if e := answer.GetErrorResponse(); e != nil && q.GetFileByFilename() == "" && q.GetFileContainingSymbol() == "" {
		return nil, status.Error(codes.Code(e.GetErrorCode()), e.GetErrorMessage())
	}
	return answer, nil
}
