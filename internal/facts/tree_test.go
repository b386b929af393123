package facts

import (
	"fmt"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestBelow: sums over all ways, and of a recursion its outermost part.
func TestBelow(t *testing.T) {
	node := func(name string, value float64, calls ...*Node) *Node {
		return &Node{Site: unpark.Site{Function: name}, Value: value, Calls: calls}
	}
	tree := Tree{Total: 20, Roots: []*Node{
		node("h", 12, node("a", 5, node("x", 3, node("a", 2, node("x", 1)))), node("b", 4, node("x", 4))),
		node("g", 8, node("h", 6, node("b", 6, node("h", 2, node("c", 2)))), node("x", 1)),
	}}
	if got, want := fmt.Sprint(sums(tree.Below("h"))), "[b 10 x 7 a 5 c 2]"; got != want {
		t.Errorf("is %s, want %s", got, want)
	}
	if got := tree.Below("none"); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestAllocator: what allocates nothing is left out, and the largest comes first whatever else it computes.
func TestAllocator(t *testing.T) {
	node := func(name string, value, malloc float64, calls ...*Node) *Node {
		return &Node{Site: unpark.Site{Function: name}, Value: value, Malloc: malloc, Calls: calls}
	}
	made := Tree{Total: 30, Roots: []*Node{
		node("computes", 20, 2, node("hash", 18, 0), node("copy", 2, 2)),
		node("makes", 10, 8, node("rows", 6, 5), node("names", 4, 3)),
	}}.Allocator()
	var got []string
	for n := range (&Node{Calls: made.Roots}).Each() {
		got = append(got, fmt.Sprintf("%s %.0f", n.Site.Function, n.Value))
	}
	if want := "[makes 8 rows 5 names 3 computes 2 copy 2]"; fmt.Sprint(got) != want || made.Total != 10 {
		t.Errorf("is %s of %.0f, want %s of 10", got, made.Total, want)
	}
	if stack := made.Roots[1].Calls[0].Stack(); len(stack) != 2 || stack[1].Function != "computes" {
		t.Errorf("callers %v", stack)
	}
}

func sums(of []SiteSum) []string {
	var out []string
	for _, s := range of {
		out = append(out, fmt.Sprintf("%s %.0f", s.Site.Function, s.Value))
	}
	return out
}

// TestModules: what modules compute is theirs with what Go does for them, without system calls and without what they call of the
// application.
func TestModules(t *testing.T) {
	at := func(function, file string) unpark.Site { return unpark.Site{Function: function, File: file, Line: 1} }
	const lib = "example.org/zip@v1.2.3/zip.go"
	back := &Node{Site: at("main.(*pages).Less", "main.go"), App: true, Value: 1}
	inflate := &Node{Site: at("compress/flate.(*decompressor).Read", "flate.go"), Value: 4, Calls: []*Node{back}}
	read := &Node{Site: at("example.org/zip.(*File).Read", lib), Value: 5, Calls: []*Node{inflate}}
	send := &Node{Site: at("net.(*TCPConn).Write", "net.go"), Value: 6, Kernel: 5}
	page := &Node{Site: at("main.page", "main.go"), App: true, Value: 13, Kernel: 5, Calls: []*Node{send, read}}
	tree := Tree{Total: 13, Roots: []*Node{page}}
	if got := tree.Modules(); got != 0.5 { // of 8 that are no system call: 1 of its own, 3 of Go's, and neither 1 of Less, 1 of Write nor 2 of page
		t.Errorf("modules have %v", got)
	}
	if got := (Tree{}).Modules(); got != 0 {
		t.Errorf("of nothing they have %v", got)
	}
}
