package unpark

// Side says whom a stack delayed or served.
type Side string

// The sides.
const (
	RequestPath  Side = "request"    // a request's own goroutine, or work one waits for
	Background   Side = "background" // delayed no request
	RuntimeSide  Side = "runtime"    // scheduler, collector, runtime-internal locks
	ObserverSide Side = "observer"   // profiling itself
)

// Flame is a flame graph as columns in preorder: node i has name Names[Name[i]],
// depth Depth[i] (0 is the root) and the cumulative value Value[i] in Unit. A
// node's children follow it with depth + 1. Inlined frames are expanded.
type Flame struct {
	Kind  Kind      `json:"kind"`
	Unit  string    `json:"unit"`
	Total float64   `json:"total"`
	Names []string  `json:"names"` // "function\x00file:line"
	Name  []int     `json:"name"`
	Depth []int     `json:"depth"`
	Value []float64 `json:"value"`
	Self  []float64 `json:"self"`
	Side  []byte    `json:"side"` // 'q' request, 'b' background, 'r' runtime, 'o' observer, per node

	// Before is set in a differential flame graph: the value that each node had in
	// the arm before, where Value is that of the arm after; a node that only one of
	// them has is 0 in the other. BeforeSelf and BeforeTotal go with Self and Total,
	// and Per says what all of them were divided by: "request", "second", or nothing.
	Before      []float64 `json:"before,omitempty"`
	BeforeSelf  []float64 `json:"before_self,omitempty"`
	BeforeTotal float64   `json:"before_total,omitempty"`
	Per         string    `json:"per,omitempty"`
}
