package proto

import (
	"fmt"
	"io"
	"os"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// readSet reads a file with a FileDescriptorSet.
func readSet(path string) ([]*descriptorpb.FileDescriptorProto, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the descriptor set: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxInput+1))
	if err != nil {
		return nil, fmt.Errorf("read the descriptor set: %w", err)
	}
	files, err := parseSet(b)
	if err != nil {
		return nil, fmt.Errorf("read the descriptor set %s: %w", path, err)
	}
	return files, nil
}

// parseSet decodes a FileDescriptorSet.
func parseSet(b []byte) ([]*descriptorpb.FileDescriptorProto, error) {
	if err := newBudget().take(len(b)); err != nil {
		return nil, err
	}
	set := &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal(b, set); err != nil {
		return nil, fmt.Errorf("%w; make one with protoc --descriptor_set_out=FILE --include_imports", err)
	}
	if len(set.GetFile()) == 0 {
		return nil, fmt.Errorf("it has no file in it (%d bytes); make one with protoc --descriptor_set_out=FILE --include_imports", len(b))
	}
	return set.GetFile(), nil
}
