package dump

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// textLimit is where runtime/pprof.writeGoroutineStacks gives up: a dump of this
// many bytes lacks goroutines.
const textLimit = 64 << 20

// goroutine is one goroutine of a dump. It is only valid until the next one is
// read.
type goroutine struct {
	id      int64
	state   string // without the marks that follow
	leaked  bool   // the runtime's leak detection has marked it
	minutes int64  // whole minutes of waiting; 0 when not printed
	frames  []frame
	elided  bool        // frames are missing in the middle of a deep stack
	created unpark.Site // zero for the main goroutine
	creator int64       // 0 when not printed (before Go 1.21)
}

// frame is one call, leaf first.
type frame struct {
	site unpark.Site
	args []argument // nil for an inlined call
}

// argument is one word of a call's arguments. Sure says that the value is live:
// runtime/traceback.go:printArgs puts "?" behind one whose register may have been
// reused before it was spilled.
type argument struct {
	value uint64
	sure  bool
}

// summary says what a dump held.
type summary struct {
	goroutines, broken int
	truncated          bool
}

// reader reads dumps. Names are interned over its whole life: the same few
// hundred functions appear in every goroutine.
type reader struct {
	names map[string]string
	g     goroutine
	args  []argument
}

func newReader() *reader { return &reader{names: make(map[string]string)} }

// intern returns one string for equal bytes.
func (r *reader) intern(b []byte) string {
	if s, ok := r.names[string(b)]; ok {
		return s
	}
	s := string(b)
	r.names[s] = s
	return s
}

var header = []byte("goroutine ")

// read calls each for every goroutine of a dump. The error is one for a text that
// is no dump at all.
func (r *reader) read(text []byte, each func(*goroutine)) (summary, error) {
	s := summary{truncated: len(text) >= textLimit}
	rest := text
	for len(rest) > 0 {
		block := rest
		if i := bytes.Index(rest, []byte("\n\n")); i >= 0 {
			block, rest = rest[:i], rest[i+2:]
		} else {
			rest = nil
			if s.truncated || block[len(block)-1] != '\n' {
				s.truncated = true // the last one lost its end
				break
			}
		}
		block = bytes.Trim(block, "\n")
		switch {
		case !bytes.HasPrefix(block, header):
			continue
		case !r.block(block):
			s.broken++
		default:
			s.goroutines++
			each(&r.g)
		}
	}
	if s.goroutines == 0 {
		return s, fmt.Errorf("read goroutine dump: no goroutine in %d bytes that begin with %s: name an endpoint that serves goroutine?debug=2 of net/http/pprof",
			len(text), strconv.Quote(string(text[:min(len(text), 40)])))
	}
	return s, nil
}

// block reads the lines of one goroutine.
func (r *reader) block(block []byte) bool {
	r.g = goroutine{frames: r.g.frames[:0]}
	r.args = r.args[:0]
	line, rest := cutLine(block)
	if !r.header(line[len(header):]) {
		return false
	}
	for len(rest) > 0 {
		line, rest = cutLine(rest)
		switch {
		case len(line) == 0:
		case line[0] == '\t':
			// "goroutine running on other thread; stack unavailable", or the place of a
			// function that was skipped.
		case bytes.HasPrefix(line, []byte("[originating from goroutine ")):
			return true // GODEBUG=tracebackancestors: stacks of others
		case bytes.HasPrefix(line, []byte("...")):
			r.g.elided = true
		case bytes.HasPrefix(line, []byte("created by ")):
			r.createdBy(line[len("created by "):])
			r.g.created.File, r.g.created.Line, rest = r.place(rest)
		default:
			f, ok := r.call(line)
			if !ok {
				return false
			}
			f.site.File, f.site.Line, rest = r.place(rest)
			if f.site.Function != roles.Exit {
				r.g.frames = append(r.g.frames, f)
			}
		}
	}
	return true
}

func cutLine(b []byte) (line, rest []byte) {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return bytes.TrimSuffix(b[:i], []byte("\r")), b[i+1:]
	}
	return b, nil
}

// header reads what follows "goroutine ":
//
//	20 [sync.Mutex.Lock, 2 minutes, locked to thread]:
//	20 gp=0xc0000061c0 m=nil [chan receive (leaked)] {tenant: blue}:
//
// Go 1.26 puts labels inside of the brackets (labels:{…}), 1.27 behind them.
func (r *reader) header(b []byte) bool {
	n := 0
	for n < len(b) && '0' <= b[n] && b[n] <= '9' {
		n++
	}
	id, err := strconv.ParseInt(string(b[:n]), 10, 64)
	open := bytes.IndexByte(b, '[')
	if err != nil || id <= 0 || open < 0 || b[len(b)-1] != ':' {
		return false
	}
	inside := b[open+1:]
	if i := bytes.Index(inside, []byte(" labels:{")); i >= 0 {
		inside = inside[:i]
	} else if i := bytes.IndexByte(inside, ']'); i >= 0 {
		inside = inside[:i]
	} else {
		return false
	}
	state, more, _ := bytes.Cut(inside, []byte(", "))
	r.g.id = id
	r.g.state, r.g.leaked = r.state(state)
	for len(more) > 0 {
		var part []byte
		part, more, _ = bytes.Cut(more, []byte(", "))
		if text, ok := bytes.CutSuffix(part, []byte(" minutes")); ok {
			if m, err := strconv.ParseInt(string(text), 10, 64); err == nil && m > 0 {
				r.g.minutes = m
			}
		}
	}
	return r.g.state != ""
}

// state removes the marks that runtime/traceback.go:goroutineheader appends.
func (r *reader) state(b []byte) (state string, leaked bool) {
	for {
		switch {
		case bytes.HasSuffix(b, []byte(" (leaked)")):
			b, leaked = b[:len(b)-len(" (leaked)")], true
		case bytes.HasSuffix(b, []byte(" (scan)")):
			b = b[:len(b)-len(" (scan)")]
		case bytes.HasSuffix(b, []byte(" (durable)")):
			b = b[:len(b)-len(" (durable)")]
		default:
			return r.intern(b), leaked
		}
	}
}

// createdBy reads "main.serve in goroutine 7"; what follows the function is new
// in Go 1.21.
func (r *reader) createdBy(b []byte) {
	name, number, ok := bytes.Cut(b, []byte(" in goroutine "))
	r.g.created.Function = r.intern(name)
	if ok {
		r.g.creator, _ = strconv.ParseInt(string(number), 10, 64)
		r.g.creator = max(0, r.g.creator)
	}
}

// call reads "main.(*T).Get(0xc000012345, {0x1?, 0x2?}, ...)".
func (r *reader) call(b []byte) (frame, bool) {
	open := bytes.LastIndexByte(b, '(')
	if open <= 0 || b[len(b)-1] != ')' {
		// C code is printed by its name alone (runtime/traceback.go:printOneCgoTraceback).
		return frame{site: unpark.Site{Function: r.intern(b)}}, !bytes.ContainsAny(b, " ()") || string(b) == "non-Go function"
	}
	f := frame{site: unpark.Site{Function: r.intern(b[:open])}}
	if inside := b[open+1 : len(b)-1]; string(inside) != "..." {
		from := len(r.args)
		r.arguments(inside)
		f.args = r.args[from:len(r.args):len(r.args)]
	}
	return f, true
}

// arguments appends the words of an argument list; structs are flattened as they
// are in memory. What is not printed ("_", "...") is an unsure 0.
func (r *reader) arguments(b []byte) {
	for len(b) > 0 {
		var word []byte
		word, b, _ = bytes.Cut(b, []byte(", "))
		word = bytes.Trim(word, "{}")
		if len(word) == 0 {
			continue // an empty struct
		}
		digits, unsure := bytes.CutSuffix(word, []byte("?"))
		var a argument
		if hex, ok := bytes.CutPrefix(digits, []byte("0x")); ok {
			if v, ok := parseHex(hex); ok {
				a = argument{value: v, sure: !unsure}
			}
		}
		r.args = append(r.args, a)
	}
}

func parseHex(b []byte) (v uint64, ok bool) {
	if len(b) == 0 || len(b) > 16 {
		return 0, false
	}
	for _, c := range b {
		d := strings.IndexByte("0123456789abcdef", c)
		if d < 0 {
			return 0, false
		}
		v = v<<4 | uint64(d)
	}
	return v, true
}

// place reads the line behind a function, "\t/src/a.go:12 +0x1d", when it is one.
func (r *reader) place(rest []byte) (file string, n int, after []byte) {
	line, after := cutLine(rest)
	if len(line) == 0 || line[0] != '\t' {
		return "", 0, rest
	}
	colon := bytes.LastIndexByte(line, ':')
	if colon < 1 {
		return "", 0, after
	}
	number, _, _ := bytes.Cut(line[colon+1:], []byte(" "))
	n, err := strconv.Atoi(string(number))
	if err != nil || n < 0 {
		return "", 0, after
	}
	return r.intern(line[1:colon]), n, after
}
