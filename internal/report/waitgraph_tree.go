package report

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// treeNode is a place in the graph as a list, which narrow windows and screen
// readers get instead of the picture.
type treeNode struct {
	Site  siteView
	Known bool
	Again bool // what it did is listed where it came first
	Held  []treePart
	Waits []treeWait
}

// treePart is one thing that a holder did, with the waits that hang on it.
type treePart struct {
	Class string
	Text  string
	Waits []treeWait
}

// treeWait leads to the holder that a wait was for.
type treeWait struct {
	Class   string // of the style
	Word    string
	Text    string
	Chained bool
	By      string
	To      *treeNode
}

// tree lists the graph from the requests on.
func (g *waitGraph) tree(t unpark.Tracing) []*treeNode {
	seen := map[*waitNode]bool{}
	var walk func(n *waitNode) *treeNode
	waits := func(all []*waitLink) []treeWait {
		var out []treeWait
		for _, l := range all {
			_, _, text := linkText(l, t)
			out = append(out, treeWait{
				Class: classStyle(l.edge.Class), Word: className(l.edge.Class), Text: text, Chained: l.chained, By: heldBy(l.edge.Class), To: walk(l.to),
			})
		}
		return out
	}
	walk = func(n *waitNode) *treeNode {
		out := &treeNode{Site: newSite(n.site), Known: !n.site.IsZero()}
		if seen[n] {
			out.Again = len(n.held) > 0
			return out
		}
		seen[n] = true
		out.Waits = waits(n.out)
		if n.column == 0 {
			return out
		}
		for _, p := range n.shown() {
			out.Held = append(out.Held, treePart{Class: classStyle(p.Class), Text: units.Percent(p.Share) + " " + heldText(p.Held, 44), Waits: waits(p.out)})
		}
		return out
	}
	var out []*treeNode
	for _, n := range g.columns[0] {
		out = append(out, walk(n))
	}
	return out
}

// classStyle names the colour of a state in report.css. Classes of a document
// that are none of ours get that of the unknown one.
func classStyle(c unpark.WaitClass) string {
	switch c {
	case unpark.Running, unpark.WaitLock, unpark.WaitChannel, unpark.WaitSelect, unpark.WaitCond, unpark.WaitGroup, unpark.WaitNetwork,
		unpark.WaitDownstream, unpark.WaitPool, unpark.WaitSyscall, unpark.WaitSleep, unpark.WaitRateLimit, unpark.WaitGCAssist, unpark.WaitGC,
		unpark.WaitSTW, unpark.WaitScheduler, unpark.WaitRuntime:
		return "c-" + string(c)
	}
	return "c-unknown"
}
