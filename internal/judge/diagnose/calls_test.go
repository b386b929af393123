package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
)

func stackOf(functions ...string) []unpark.Site {
	var out []unpark.Site
	for _, f := range functions {
		out = append(out, unpark.Site{Function: f})
	}
	return out
}

// TestReadCallsAreReadThroughABuffer: calls that read are made fewer by a buffer to read through, where there is none; calls that write by one to
// write through.
func TestReadCallsAreReadThroughABuffer(t *testing.T) {
	for _, c := range []struct {
		name, sort string
		stack      []unpark.Site
		want, not  string
	}{
		{"a length and then what it is of", sortRead, stackOf("syscall.read", "net.(*conn).Read", "io.ReadFull", "example.org/ber.readByte"), "bufio.Reader", "flush"},
		{"read through a buffer", sortRead, stackOf("syscall.read", "net.(*conn).Read", "bufio.(*Reader).fill", "example.org/wire.read"), "Ask for less", "bufio.Reader"},
		{"writes", "Write", stackOf("syscall.write", "net.(*conn).Write", "example.org/wire.write"), "buffered write", "bufio.Reader"},
	} {
		var all string
		for _, r := range syscallRemedies(c.sort, c.stack, false) {
			all += r.Title + "\n"
		}
		if !strings.Contains(all, c.want) || strings.Contains(all, c.not) {
			t.Errorf("%s: %s", c.name, all)
		}
	}
}

// TestAdviceOfLockIsNear: what is known of a caller far above a lock is known of its other work.
func TestAdviceOfLockIsNear(t *testing.T) {
	deep := func(n int) []string {
		stack := []string{"sync.(*Mutex).Lock", "example.org/memory.(*Allocator).Malloc"}
		for len(stack) < n {
			stack = append(stack, "example.org/engine.step")
		}
		return append(stack, "database/sql.(*DB).BeginTx", "main.order")
	}
	for class, far := range map[unpark.Class]bool{unpark.ClassLock: false, unpark.ClassPool: true} {
		for _, n := range []int{4, 16} {
			f := unpark.Finding{Class: class, Site: unpark.Site{Function: "main.order"}, Path: stackOf(deep(n)...)}
			found := false
			for _, a := range catalogued(&model.Model{}, f) {
				found = found || a.Names("database/sql.(*DB).BeginTx")
			}
			if want := far || n < nearLock; found != want {
				t.Errorf("%s, %d frames below: %v", class, n, found)
			}
		}
	}
}

// TestComputesMore: of a full CPU that is a third garbage, more may be what one function computes, or calls that read and write; garbage itself is
// not.
func TestComputesMore(t *testing.T) {
	m := &model.Model{}
	m.GarbageShare, m.Service = 0.31, unpark.Num(1.76)
	for _, c := range []struct {
		class unpark.Class
		cores float64
		want  bool
	}{
		{unpark.ClassSyscall, 0.79, true}, {unpark.ClassCPU, 0.79, true}, {unpark.ClassSyscall, 0.4, false}, {unpark.ClassAlloc, 0.79, false},
	} {
		f := unpark.Finding{Class: c.class, Cost: unpark.Cost{Cores: unpark.Measured(c.cores, "cores", 100)}}
		if got := computesMore(m, []unpark.Finding{f}); got != c.want {
			t.Errorf("%s of %v cores: %v", c.class, c.cores, got)
		}
	}
}
