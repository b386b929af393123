package unpark

// Side says whom a stack delayed or served.
type Side string

// The sides.
const (
	RequestPath  Side = "request"    // a request's own goroutine, or work one waits for
	Background   Side = "background" // delayed nobody
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
}
