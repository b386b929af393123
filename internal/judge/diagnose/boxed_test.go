package diagnose

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/advice"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestBoxedFor: what a function boxes for a call of Go's, such as fmt's, is its own in the profile, so advice about the call needs a
// third of its garbage, if most is the call's or its own.
func TestBoxedFor(t *testing.T) {
	for _, c := range []struct {
		name        string
		class       unpark.Class
		into, other float64 // of 9
		want        bool
	}{
		{"most is its own", unpark.ClassAlloc, 3.2, 0, true},
		{"less than a third", unpark.ClassAlloc, 2.8, 0, false},
		{"others of its functions allocate most", unpark.ClassAlloc, 3.2, 5, false},
		{"CPU is the callee's", unpark.ClassCPU, 3.2, 0, false},
	} {
		id, sprintf := unpark.Site{Function: "app.id"}, unpark.Site{Function: "fmt.Sprintf"}
		root := &facts.Node{Site: id, App: true, Value: 9}
		root.Calls = []*facts.Node{{Site: unpark.Site{Function: "app.sign"}, App: true, Value: c.other, Caller: root}, {Site: sprintf, Value: c.into, Caller: root}}
		m := &model.Model{Ev: facts.Evidence{AllocTree: facts.Tree{Total: 10, Roots: []*facts.Node{root}}}}
		f := unpark.Finding{Class: c.class, Culprit: &id, Into: []unpark.Part{{Site: sprintf, Share: c.into / 9}}}
		if got := boxedFor(m, f, advice.Case{Class: string(c.class)}); (len(got) > 0) != c.want {
			t.Errorf("%s: %d pieces of advice", c.name, len(got))
		}
	}
}

// TestGrownFor: what makes a buffer larger is part of the function that writes to it, so advice about that needs a third of what it takes.
func TestGrownFor(t *testing.T) {
	for grown, want := range map[float64]bool{4: true, 2: false} {
		page := unpark.Site{Function: "app.page"}
		root := &facts.Node{Site: page, App: true, Value: 9, Grown: grown, Grower: "bytes.growSlice"}
		m := &model.Model{Ev: facts.Evidence{CPU: facts.CPU{Tree: facts.Tree{Total: 10, Roots: []*facts.Node{root}}}}}
		f := unpark.Finding{Class: unpark.ClassCPU, Culprit: &page}
		if got := grownFor(m, f, advice.Case{Class: string(f.Class)}); (len(got) > 0) != want {
			t.Errorf("%g of 9: %d pieces of advice", grown, len(got))
		}
	}
}

// TestJoinedFor: so is what makes one string of several, also of what is allocated, the stacks of which do not have it.
func TestJoinedFor(t *testing.T) {
	for _, class := range []unpark.Class{unpark.ClassCPU, unpark.ClassAlloc} {
		for joined, want := range map[float64]bool{4: true, 2: false} {
			page := unpark.Site{Function: "app.page"}
			root := &facts.Node{Site: page, App: true, Value: 9, Joined: joined, Joiner: "runtime.concatstrings", Grown: 1, Grower: "bytes.growSlice"}
			m := &model.Model{Ev: facts.Evidence{CPU: facts.CPU{Tree: facts.Tree{Total: 10, Roots: []*facts.Node{root}}}}}
			m.Ev.AllocTree = facts.Tree{Total: 900, Roots: []*facts.Node{{Site: page, App: true, Value: 900}}}
			f := unpark.Finding{Class: class, Culprit: &page}
			if got := grownFor(m, f, advice.Case{Class: string(class)}); (len(got) > 0) != want || want && got[0].ID != "strings-builder" {
				t.Errorf("%s, %g of 9: %+v", class, joined, got)
			}
		}
	}
}
