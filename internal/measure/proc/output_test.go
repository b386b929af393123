package proc

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// keep is how many bytes the outputs of these tests keep.
const keep = 64 << 10

func numbered(prefix string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %d\n", prefix, i)
	}
	return b.String()
}

func TestExcerpt(t *testing.T) {
	for name, c := range map[string]struct {
		printed     string
		begin, end  string
		linesWanted int
	}{
		"nothing":   {"", "", "", 1},
		"short":     {"a\nb\n\n", "a", "b", 2},
		"last":      {numbered("line", 100), "line 85", "line 99", 15},
		"panic":     {numbered("log", 50) + "panic: boom\n\n" + numbered("goroutine", 100), "panic: boom", "goroutine 12", 15},
		"fatal":     {"fatal error: all goroutines are asleep - deadlock!\n" + numbered("g", 3), "fatal error", "g 2", 4},
		"two":       {"panic: first\nrecovered\nlog\npanic: second\nx\n", "panic: second", "x", 2},
		"near miss": {"no panic: here\n" + numbered("log", 20), "log 5", "log 19", 15},
		"long line": {strings.Repeat("é", 500) + "\n", "éé", "…", 1},
		"coloured":  {"\x1b[1;31mpanic: boom\x1b[0m\n" + numbered("g", 3), "panic: boom", "g 2", 4},
		"not text":  {"\xff\xfe\n", "�", "�", 1},
	} {
		t.Run(name, func(t *testing.T) {
			o := NewOutput(TailOrPanic, keep, nil)
			if _, err := o.Write([]byte(c.printed)); err != nil {
				t.Fatal(err)
			}
			got := o.Excerpt(15)
			if !strings.HasPrefix(got, c.begin) || !strings.HasSuffix(got, c.end) || len(strings.Split(got, "\n")) != c.linesWanted {
				t.Errorf("got %q", got)
			}
			if strings.ToValidUTF8(got, "?") != got {
				t.Errorf("not UTF-8: %q", got)
			}
		})
	}
}

func TestOutputIsBounded(t *testing.T) {
	o := NewOutput(TailOrPanic, keep, nil)
	chunk := []byte(numbered("a line of the log of the service", 100))
	_, _ = o.Write([]byte("panic: the first lines of it matter\n"))
	for range 1000 {
		_, _ = o.Write(chunk)
		if len(o.kept) > 2*keep {
			t.Fatalf("%d bytes are kept", len(o.kept))
		}
	}
	if !strings.HasPrefix(o.Excerpt(15), "panic: the first") {
		t.Errorf("the panic is forgotten: %q", o.Excerpt(15)[:60])
	}
	quiet := NewOutput(TailOrPanic, keep, nil)
	for range 1000 {
		_, _ = quiet.Write(chunk)
	}
	if !strings.HasSuffix(quiet.Excerpt(15), "service 99") || len(quiet.kept) > 2*keep {
		t.Errorf("%d bytes are kept, the last: %q", len(quiet.kept), quiet.Excerpt(15))
	}
}

type fullDisk struct{ writes int }

func (f *fullDisk) Write([]byte) (int, error) { f.writes++; return 0, errors.New("no space left") }

func TestFailingCopyDoesNotStopTheCommand(t *testing.T) {
	disk := &fullDisk{}
	o := NewOutput(TailOrPanic, keep, disk)
	for range 3 {
		if n, err := o.Write([]byte("x\n")); n != 2 || err != nil {
			t.Fatal(n, err)
		}
	}
	if disk.writes != 1 || o.Excerpt(15) != "x\nx\nx" {
		t.Errorf("%d writes, kept %q", disk.writes, o.Excerpt(15))
	}
}

// What is read by a program is there whole or not at all; of what is shown, the end.
func TestKept(t *testing.T) {
	for name, c := range map[string]struct {
		keep    Keep
		printed int // times ten bytes
		kept    int // bytes, at most
		more    bool
	}{
		"whole":          {Whole, 10, 100, false},
		"more than that": {Whole, 11, 0, true},
		"end":            {Tail, 20, 200, false},
		"the end alone":  {Tail, 1000, 200, true},
	} {
		o := NewOutput(c.keep, 100, nil)
		for i := range c.printed {
			fmt.Fprintf(o, "line %04d\n", i)
		}
		text, more := o.Kept()
		if len(text) > c.kept || more != c.more {
			t.Errorf("%s: %d bytes are kept, more %v", name, len(text), more)
		}
		if c.kept > 0 && o.Excerpt(1) != fmt.Sprintf("line %04d", c.printed-1) {
			t.Errorf("%s: %q", name, o.Excerpt(1))
		}
	}
}

// The end of what a program prints is its end, also when that panicked before.
func TestTailKnowsNoPanic(t *testing.T) {
	o := NewOutput(Tail, keep, nil)
	fmt.Fprint(o, "panic: boom\n", numbered("goroutine", 100))
	if got := o.Excerpt(2); got != "goroutine 98\ngoroutine 99" {
		t.Errorf("%q", got)
	}
}

// A line that is unpark's own doing is neither kept nor copied; a part of it is the command's own.
func TestWithout(t *testing.T) {
	var copied strings.Builder
	o := NewOutput(TailOrPanic, keep, &copied).Without("runtime: a notice.\n")
	for _, text := range []string{"a\nruntime: a notice.\nb\n", "runtime: a notice.\n", "runtime: a\n"} {
		if n, err := o.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("%q: %d, %v", text, n, err)
		}
	}
	if got := o.Excerpt(9); got != "a\nb\nruntime: a" || copied.String() != got+"\n" {
		t.Errorf("%q, copied %q", got, copied.String())
	}
}
