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
