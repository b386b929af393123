package proto

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync/atomic"

	"google.golang.org/protobuf/types/descriptorpb"
)

// maxInput bounds what is read from a source, in bytes: the descriptors of the
// largest public API, Google's, take about 40 MB.
const maxInput = 64 << 20

// maxFiles bounds the number of files that a source may have.
const maxFiles = 20_000

// Source says where descriptors come from. Exactly one of Protoset, Proto and
// Reflect is set.
type Source struct {
	// Protoset is a file with a FileDescriptorSet: protoc
	// --descriptor_set_out=FILE --include_imports, or buf build -o FILE.
	Protoset string
	// Proto are .proto files. Their imports are looked for in ImportPaths; without
	// those, beside the file.
	Proto       []string
	ImportPaths []string
	// Reflect is a server, grpc://host:port or grpcs://host:port, that is asked by
	// server reflection; Header is sent with the question, and TLS is how it is
	// asked within TLS. Without TLS, the certificate is verified unless the host is
	// on loopback.
	Reflect string
	Header  map[string][]string
	TLS     *tls.Config
	// Dial reaches the server; nil looks its name up.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Open reads the descriptors. Its errors name the source, the cause and the cure.
// A question to a server takes as long as ctx allows, and no more than 10 s.
func Open(ctx context.Context, s Source) (*Encoder, error) {
	given := 0
	for _, is := range []bool{s.Protoset != "", len(s.Proto) > 0, s.Reflect != ""} {
		if is {
			given++
		}
	}
	if given != 1 {
		return nil, errors.New("descriptors: name one source: a descriptor set (--protoset), .proto files (--proto) or a server with reflection")
	}
	var files []*descriptorpb.FileDescriptorProto
	var missing []error
	var err error
	from := s.Protoset
	switch {
	case s.Protoset != "":
		files, err = readSet(s.Protoset)
	case len(s.Proto) > 0:
		from = s.Proto[0]
		files, err = compile(ctx, s.Proto, s.ImportPaths)
	default:
		from = s.Reflect
		files, missing, err = ask(ctx, s)
	}
	if err != nil {
		return nil, fmt.Errorf("descriptors: %w", err)
	}
	return newEncoder(from, files, missing...)
}

// budget is how many bytes a source may still take.
type budget struct{ left atomic.Int64 }

func newBudget() *budget {
	b := &budget{}
	b.left.Store(maxInput)
	return b
}

// take is an error once a source has taken more than it may.
func (b *budget) take(n int) error {
	if b.left.Add(-int64(n)) < 0 {
		return fmt.Errorf("more than %d MB of descriptors: name a descriptor set that has the service alone", maxInput>>20)
	}
	return nil
}
