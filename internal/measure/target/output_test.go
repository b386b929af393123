package target

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// lockedBuffer is a buffer that is read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

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
			o := &output{}
			if _, err := o.Write([]byte(c.printed)); err != nil {
				t.Fatal(err)
			}
			got := o.excerpt()
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
	o := &output{}
	chunk := []byte(numbered("a line of the log of the service", 100))
	_, _ = o.Write([]byte("panic: the first lines of it matter\n"))
	for range 1000 {
		_, _ = o.Write(chunk)
		if len(o.kept) > 2*keep {
			t.Fatalf("%d bytes are kept", len(o.kept))
		}
	}
	if !strings.HasPrefix(o.excerpt(), "panic: the first") {
		t.Errorf("the panic is forgotten: %q", o.excerpt()[:60])
	}
	quiet := &output{}
	for range 1000 {
		_, _ = quiet.Write(chunk)
	}
	if !strings.HasSuffix(quiet.excerpt(), "service 99") || len(quiet.kept) > 2*keep {
		t.Errorf("%d bytes are kept, the last: %q", len(quiet.kept), quiet.excerpt())
	}
}

type fullDisk struct{ writes int }

func (f *fullDisk) Write([]byte) (int, error) { f.writes++; return 0, errors.New("no space left") }

func TestFailingCopyDoesNotStopTheTarget(t *testing.T) {
	disk := &fullDisk{}
	o := &output{copy: disk}
	for range 3 {
		if n, err := o.Write([]byte("x\n")); n != 2 || err != nil {
			t.Fatal(n, err)
		}
	}
	if disk.writes != 1 || o.excerpt() != "x\nx\nx" {
		t.Errorf("%d writes, kept %q", disk.writes, o.excerpt())
	}
}
