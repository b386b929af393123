package proto

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	// Files that sources may leave out: every compiler brings them along.
	_ "google.golang.org/protobuf/types/known/anypb"
	_ "google.golang.org/protobuf/types/known/apipb"
	_ "google.golang.org/protobuf/types/known/durationpb"
	_ "google.golang.org/protobuf/types/known/emptypb"
	_ "google.golang.org/protobuf/types/known/fieldmaskpb"
	_ "google.golang.org/protobuf/types/known/structpb"
	_ "google.golang.org/protobuf/types/known/timestamppb"
	_ "google.golang.org/protobuf/types/known/wrapperspb"
)

// linker makes descriptors of files, each after those that it imports.
type linker struct {
	source map[string]*descriptorpb.FileDescriptorProto
	files  *protoregistry.Files
	state  map[string]error // of the files that were begun; nil: linked
}

// link returns what could be linked, and why the rest could not.
func link(files []*descriptorpb.FileDescriptorProto) (linked *protoregistry.Files, failed []error, err error) {
	if len(files) > maxFiles {
		return nil, nil, fmt.Errorf("%d files: at most %d are read", len(files), maxFiles)
	}
	l := &linker{source: map[string]*descriptorpb.FileDescriptorProto{}, files: new(protoregistry.Files), state: map[string]error{}}
	for _, f := range files {
		if l.source[f.GetName()] == nil {
			l.source[f.GetName()] = f
		}
	}
	for _, f := range files {
		if err := l.add(f.GetName()); err != nil {
			failed = append(failed, err)
		}
	}
	return l.files, failed, nil
}

// add links a file and what it imports.
func (l *linker) add(name string) error {
	if err, begun := l.state[name]; begun {
		return err
	}
	l.state[name] = fmt.Errorf("file %q imports itself", name)
	err := l.addNew(name)
	l.state[name] = err
	return err
}

func (l *linker) addNew(name string) error {
	f := l.source[name]
	if f == nil {
		return l.addKnown(name)
	}
	for _, imported := range f.GetDependency() {
		if err := l.add(imported); err != nil {
			return err // of the file that is to blame, however many import it
		}
	}
	linked, err := newFile(f, l.files)
	if err == nil {
		err = l.files.RegisterFile(linked)
	}
	if err != nil {
		return fmt.Errorf("file %q: %w", name, err)
	}
	return nil
}

// newFile guards against files that no compiler has made.
func newFile(f *descriptorpb.FileDescriptorProto, files *protoregistry.Files) (linked protoreflect.FileDescriptor, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("malformed: %v", p)
		}
	}()
	return protodesc.NewFile(f, files)
}

// addKnown adds a file of protobuf itself.
func (l *linker) addKnown(name string) error {
	if strings.HasPrefix(name, "google/protobuf/") {
		if f, err := protoregistry.GlobalFiles.FindFileByPath(name); err == nil {
			for i := range f.Imports().Len() {
				if err := l.add(f.Imports().Get(i).Path()); err != nil {
					return err
				}
			}
			return l.files.RegisterFile(f)
		}
	}
	return fmt.Errorf("file %q is imported and missing: make a descriptor set with --include_imports", name)
}

// methods lists what can be called, as package.Service/Method, sorted.
func methods(files *protoregistry.Files) []string {
	var out []string
	for s := range services(files) {
		for i := range s.Methods().Len() {
			out = append(out, string(s.FullName())+"/"+string(s.Methods().Get(i).Name()))
		}
	}
	slices.Sort(out)
	return out
}

func services(files *protoregistry.Files) func(yield func(protoreflect.ServiceDescriptor) bool) {
	return func(yield func(protoreflect.ServiceDescriptor) bool) {
		files.RangeFiles(func(f protoreflect.FileDescriptor) bool {
			for i := range f.Services().Len() {
				if !yield(f.Services().Get(i)) {
					return false
				}
			}
			return true
		})
	}
}
