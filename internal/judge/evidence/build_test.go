package evidence

import (
	"bytes"
	"encoding/binary"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// message is a protocol buffer being written, enough of one for a profile.
type message []byte

func (m *message) number(field int, v uint64) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3)
	*m = binary.AppendUvarint(*m, v)
}

func (m *message) bytes(field int, b []byte) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|2)
	*m = binary.AppendUvarint(*m, uint64(len(b)))
	*m = append(*m, b...)
}

// made is one sample of a made profile: a stack of "function:line", leaf first, in
// the kind's unit, and the events behind the value.
type made struct {
	stack        string
	value, count float64
}

// types are the sample types that the runtime writes for a kind.
func types(kind unpark.Kind) (names []string, scale float64) {
	switch kind {
	case unpark.KindCPU:
		return []string{"samples", "count", "cpu", "nanoseconds"}, 1e9
	case unpark.KindBlock, unpark.KindMutex:
		return []string{"contentions", "count", "delay", "nanoseconds"}, 1e9
	case unpark.KindAllocs:
		return []string{"alloc_objects", "count", "alloc_space", "bytes"}, 1
	case unpark.KindHeap:
		return []string{"inuse_objects", "count", "inuse_space", "bytes"}, 1
	}
	return []string{string(kind), "count"}, 1
}

// profileOf makes a profile of samples. Functions of example.com/shop and main
// have files of a main module, all others of the module cache.
func profileOf(t testing.TB, kind unpark.Kind, samples ...made) *profile.Profile {
	t.Helper()
	p, err := profile.Decode(bytes.NewReader(encode(kind, samples)), kind, string(kind))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func encode(kind unpark.Kind, samples []made) []byte {
	var out message
	table := map[string]uint64{"": 0}
	texts := []string{""}
	text := func(s string) uint64 {
		if _, ok := table[s]; !ok {
			table[s] = uint64(len(texts))
			texts = append(texts, s)
		}
		return table[s]
	}
	names, scale := types(kind)
	for i := 0; i < len(names); i += 2 {
		var v message
		v.number(1, text(names[i]))
		v.number(2, text(names[i+1]))
		out.bytes(1, v)
	}
	places := map[string]uint64{}
	for _, s := range samples {
		var m message
		for _, at := range strings.Fields(s.stack) {
			if places[at] == 0 {
				places[at] = uint64(len(places) + 1)
			}
			m.number(1, places[at])
		}
		if len(names) > 2 {
			m.number(2, uint64(s.count))
		}
		m.number(2, uint64(s.value*scale+0.5))
		out.bytes(2, m)
	}
	var order []string
	for at := range places {
		order = append(order, at)
	}
	sort.Strings(order)
	for _, at := range order {
		id := places[at]
		function, line, _ := strings.Cut(at, "@")
		n, _ := strconv.Atoi(line)
		file := "/src/shop/file.go"
		if !strings.HasPrefix(function, "main.") && !strings.HasPrefix(function, "example.com/shop") {
			file = "/go/pkg/mod/lib@v1.0.0/file.go"
		}
		var f, l, loc message
		f.number(1, id)
		f.number(2, text(function))
		f.number(4, text(file))
		l.number(1, id)
		l.number(2, uint64(n))
		loc.number(1, id)
		loc.bytes(4, l)
		out.bytes(4, loc)
		out.bytes(5, f)
	}
	for _, s := range texts {
		out.bytes(6, []byte(s))
	}
	return out
}

// serve is the server's part of a request's stack.
const serve = " net/http.HandlerFunc.ServeHTTP net/http.serverHandler.ServeHTTP net/http.(*conn).serve"

// window returns a window of the given length with one process.
func window(seconds float64) unpark.Window {
	start := time.Unix(1000, 0)
	return unpark.Window{
		Start: start, End: start.Add(time.Duration(seconds * float64(time.Second))),
		Processes: []unpark.Process{{PID: 7, State: "whole"}},
	}
}

// single wraps one process's profiles.
func single(ps ...*profile.Profile) map[unpark.Kind][]*profile.Profile {
	out := map[unpark.Kind][]*profile.Profile{}
	for _, p := range ps {
		out[p.Kind()] = append(out[p.Kind()], p)
	}
	return out
}

// repeat returns n equal instants of one process.
func repeat(n int, p *profile.Profile) [][]*profile.Profile {
	var out [][]*profile.Profile
	for range n {
		out = append(out, []*profile.Profile{p})
	}
	return out
}

func near(got, want, tolerance float64) bool {
	d := got - want
	return d <= tolerance && -d <= tolerance
}

func hasNotice(ns []unpark.Notice, code string) bool {
	for _, n := range ns {
		if n.Code == code {
			return true
		}
	}
	return false
}
