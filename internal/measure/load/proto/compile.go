package proto

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// compile compiles .proto files with all that they import; an error names file,
// line and column.
func compile(ctx context.Context, paths, imports []string) ([]*descriptorpb.FileDescriptorProto, error) {
	names := make([]string, 0, len(paths))
	for _, p := range paths {
		var name string
		name, imports = place(p, imports)
		names = append(names, name)
	}
	b := newBudget()
	open := func(path string) (io.ReadCloser, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		return &bounded{f, b}, nil
	}
	c := protocompile.Compiler{Resolver: protocompile.WithStandardImports(
		&protocompile.SourceResolver{ImportPaths: imports, Accessor: open})}
	compiled, err := c.Compile(ctx, names...)
	if err != nil {
		return nil, fmt.Errorf("compile %s (imports are looked for in %s, say where with --import-path): %w",
			strings.Join(paths, ", "), strings.Join(imports, ", "), err)
	}
	seen := map[string]*descriptorpb.FileDescriptorProto{}
	var out []*descriptorpb.FileDescriptorProto
	var add func(protoreflect.FileDescriptor)
	add = func(f protoreflect.FileDescriptor) {
		if seen[f.Path()] != nil || f.IsPlaceholder() {
			return
		}
		seen[f.Path()] = protodesc.ToFileDescriptorProto(f)
		out = append(out, seen[f.Path()])
		for i := range f.Imports().Len() {
			add(f.Imports().Get(i).FileDescriptor)
		}
	}
	for _, f := range compiled {
		add(f)
	}
	return out, nil
}

// place returns the name by which a file is imported, which is relative to an
// import path; a file in none of them adds its own folder, and is returned with
// the longer list.
func place(path string, imports []string) (name string, longer []string) {
	for _, root := range imports {
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), imports
		}
	}
	// protoc takes names that are relative to an import path already.
	for _, root := range imports {
		if _, err := os.Stat(filepath.Join(root, path)); err == nil && filepath.IsLocal(path) {
			return filepath.ToSlash(path), imports
		}
	}
	return filepath.Base(path), append(slices.Clip(imports), filepath.Dir(path))
}

// bounded is a file that takes from a budget.
type bounded struct {
	*os.File
	budget *budget
}

func (f *bounded) Read(b []byte) (int, error) {
	n, err := f.File.Read(b)
	if over := f.budget.take(n); over != nil {
		return 0, over
	}
	return n, err
}
