// Package layout knows where the Go runtime has its fields: by the DWARF of a binary, or, where
// that was left out, by tables for the versions that it was generated with (go generate).
package layout

import (
	"debug/dwarf"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// Layout is offsets of fields in bytes, and sizes of structures. Missing is the offset of a
// field that a version does not have.
type Layout struct {
	// A bucket of a profile: its header, then the stack, then the record (runtime/mprof.go).
	BucketSize    int `of:"runtime.bucket"`
	BucketAllNext int `of:"runtime.bucket allnext"`
	BucketType    int `of:"runtime.bucket typ"`
	BucketBytes   int `of:"runtime.bucket size"`
	BucketDepth   int `of:"runtime.bucket nstk"`
	// Count and cycles of a blockRecord.
	BlockCount  int `of:"runtime.blockRecord count"`
	BlockCycles int `of:"runtime.blockRecord cycles"`
	// A memRecord: what is published, and what will be. Bytes are missing from Go 1.27 on:
	// they are the bucket's size times the count.
	MemActive     int `of:"runtime.memRecord active"`
	MemFuture     int `of:"runtime.memRecord future"`
	MemCycleSize  int `of:"runtime.memRecordCycle"`
	MemAllocs     int `of:"runtime.memRecordCycle allocs"`
	MemFrees      int `of:"runtime.memRecordCycle frees"`
	MemAllocBytes int `of:"runtime.memRecordCycle alloc_bytes" missing:"yes"`
	MemFreeBytes  int `of:"runtime.memRecordCycle free_bytes" missing:"yes"`
	// A goroutine (runtime/runtime2.go).
	GSize       int `of:"runtime.g"`
	GStackHigh  int `of:"runtime.g stack.hi"`
	GSP         int `of:"runtime.g sched.sp"`
	GPC         int `of:"runtime.g sched.pc"`
	GBP         int `of:"runtime.g sched.bp"`
	GStatus     int `of:"runtime.g atomicstatus"`
	GID         int `of:"runtime.g goid"`
	GWaitSince  int `of:"runtime.g waitsince"`
	GWaitReason int `of:"runtime.g waitreason"`
	GCreatedAt  int `of:"runtime.g gopc"`
	GStart      int `of:"runtime.g startpc"`
	GSyscallSP  int `of:"runtime.g syscallsp"`
	GSyscallPC  int `of:"runtime.g syscallpc"`
	GSyscallBP  int `of:"runtime.g syscallbp" missing:"yes"`
	// A waiter for a semaphore (sudog), which one, those behind it and those for others; and the
	// root of a table's entry (runtime/sema.go).
	WaiterSize int `of:"runtime.sudog"`
	WaiterG    int `of:"runtime.sudog g"`
	WaiterElem int `of:"runtime.sudog elem"`
	WaiterLink int `of:"runtime.sudog waitlink"`
	WaiterNext int `of:"runtime.sudog next"`
	WaiterPrev int `of:"runtime.sudog prev"`
	SemaRoot   int `of:"runtime.semaRoot treap"`
	// The module: what addresses of functions are counted from, and the functions' data.
	ModuleHeader int `of:"runtime.moduledata pcHeader"`
	ModuleText   int `of:"runtime.moduledata text"`
	ModuleData   int `of:"runtime.moduledata gofunc"`
}

// Missing is the offset of a field that there is not.
const Missing = -1

// ErrUnknown says that nothing is known of a version, wrapped.
var ErrUnknown = errors.New("the layout of its runtime is not known")

//go:embed tables.json
var tables []byte

//go:embed reasons.json
var words []byte

//go:generate go run ./gen go1.22.12 go1.23.12 go1.24.13 go1.25.11 go1.26.8 go1.27.1

// Reasons are the words of a version such as go1.26.8 for why a goroutine waits, by their number
// in it (runtime.waitReasonStrings); nil where they are not known.
func Reasons(version string) []string {
	var all map[string][]string
	if json.Unmarshal(words, &all) != nil {
		return nil
	}
	return all[minor(version)]
}

// Tables are layouts by version and processor, as "go1.26 amd64".
func Tables() (map[string]Layout, error) {
	var all map[string]Layout
	err := json.Unmarshal(tables, &all)
	return all, err
}

// Of returns the layout of a version such as go1.26.8 by the tables, of a candidate for it, and of what was made from one: with
// experiments ("go1.26.8 X:boringcrypto", from Go 1.26 on go1.26.8-X:boringcrypto) or by a distributor (go1.26.8-1). A development
// version, one that is newer than the tables, and one with the experiment that moves fields are unknown.
func Of(version, arch string) (Layout, error) {
	all, err := Tables()
	if err != nil {
		return Layout{}, fmt.Errorf("layout of %s: %w", version, err)
	}
	if l, ok := all[minor(version)+" "+arch]; ok && fromRelease.MatchString(version) && !strings.Contains(version, moves) {
		return l, nil
	}
	return Layout{}, fmt.Errorf("%s on %s: %w: build it with DWARF (without -w), or use an unpark that knows it; this one knows %s",
		version, arch, ErrUnknown, known(all, arch))
}

// moves is the experiment that puts a rank into each lock (runtime/lockrank_on.go), also into the one before a root of semaphores. Others
// leave all that is read where it is: with boringcrypto, nogreenteagc, arenas, goroutineleakprofile, runtimefreegc and runtimesecret the
// layout by DWARF is that of the table (Go 1.26.8).
const moves = "staticlockranking"

// known are the first and the last version of a processor.
func known(all map[string]Layout, arch string) string {
	var out []string
	for name := range all {
		if version, ok := strings.CutSuffix(name, " "+arch); ok {
			out = append(out, version)
		}
	}
	if len(out) == 0 {
		return "none of this processor"
	}
	slices.Sort(out)
	return out[0] + " to " + out[len(out)-1]
}

// fromRelease are versions that begin with one of Go's own: go1.26, go1.26.8 or go1.26rc1, with or without what was made of it. A
// development version has no release behind its minor version (go1.27-devel_a1b2c3).
var fromRelease = regexp.MustCompile(`^go1\.[0-9]+(\.[0-9]+([-+][^ ]*)?|(rc|beta)[0-9]+)?( X:.*)?$`)

// Released reports whether a version is one of Go's own releases, such as go1.26.8, and not one that
// others have changed, that is in development, or that has experiments in it.
func Released(version string) bool { return released.MatchString(version) }

var released = regexp.MustCompile(`^go1\.[0-9]+(\.[0-9]+)?$`)

// minor is the language version of go1.26.8, go1.26rc1 or "go1.26.8 X:nogreenteagc".
func minor(version string) string {
	digits := func(s string) string {
		for i, c := range s {
			if c < '0' || c > '9' {
				return s[:i]
			}
		}
		return s
	}
	rest, ok := strings.CutPrefix(version, "go1.")
	if !ok {
		return version
	}
	return "go1." + digits(rest)
}

// FromDWARF reads the layout from a binary's own description of its types.
func FromDWARF(d *dwarf.Data) (Layout, error) {
	want := map[string]bool{}
	for f := range fields() {
		name, _, _ := strings.Cut(f.Tag.Get("of"), " ")
		want[name] = true
	}
	types := map[string]*dwarf.StructType{}
	r := d.Reader()
	for len(types) < len(want) {
		e, err := r.Next()
		if err != nil {
			return Layout{}, fmt.Errorf("layout by DWARF: %w", err)
		}
		if e == nil {
			break
		}
		name, _ := e.Val(dwarf.AttrName).(string)
		if e.Tag == dwarf.TagStructType && want[name] {
			t, err := d.Type(e.Offset)
			if s, ok := t.(*dwarf.StructType); ok && err == nil {
				types[name] = s
			}
		}
		if e.Tag == dwarf.TagSubprogram {
			r.SkipChildren()
		}
	}
	var l Layout
	v := reflect.ValueOf(&l).Elem()
	for f := range fields() {
		name, path, _ := strings.Cut(f.Tag.Get("of"), " ")
		at, ok := offset(types[name], path)
		if !ok && f.Tag.Get("missing") == "" {
			return Layout{}, fmt.Errorf("layout by DWARF: no %s: %w", f.Tag.Get("of"), ErrUnknown)
		}
		v.FieldByIndex(f.Index).SetInt(int64(at))
	}
	return l, nil
}

// fields yields the fields of a layout.
func fields() func(yield func(reflect.StructField) bool) {
	t := reflect.TypeFor[Layout]()
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}

// offset is where a path such as stack.lo lies in a structure; of no path, its size.
func offset(s *dwarf.StructType, path string) (int, bool) {
	switch {
	case s == nil:
		return Missing, false
	case path == "":
		return int(s.ByteSize), true
	}
	name, rest, deeper := strings.Cut(path, ".")
	for _, f := range s.Field {
		if f.Name != name {
			continue
		}
		if !deeper {
			return int(f.ByteOffset), true
		}
		t := f.Type
		if d, ok := t.(*dwarf.TypedefType); ok {
			t = d.Type
		}
		inner, ok := t.(*dwarf.StructType)
		if !ok {
			return Missing, false
		}
		at, ok := offset(inner, rest)
		return int(f.ByteOffset) + at, ok
	}
	return Missing, false
}
