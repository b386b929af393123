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

func sums(of []SiteSum) []string {
	var out []string
	for _, s := range of {
		out = append(out, fmt.Sprintf("%s %.0f", s.Site.Function, s.Value))
	}
	return out
}
