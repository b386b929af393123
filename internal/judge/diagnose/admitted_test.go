package diagnose_test

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestAdmittedInSelect: a request that takes a place in a select (to give up after a while) is let
// in by another that receives in the same function; one that sends there may answer it.
func TestAdmittedInSelect(t *testing.T) {
	for _, c := range []struct {
		name, leaf, literal string
		again               int64 // per cent of the waits, ended right after another one
		want                unpark.Class
	}{
		{"another gives its place back", "runtime.chanrecv1", "app.serve.func1", 0, unpark.ClassPool},
		{"another gives its token back when it is done", "runtime.chansend1", "app.serve.func1", 0, unpark.ClassPool},
		{"another answers several when it is done", "runtime.chansend1", "app.serve.func1", 60, unpark.ClassChannel},
		{"another answers on its way", "runtime.chansend1", "app.answer", 0, unpark.ClassChannel},
		{"another answers all", "runtime.closechan", "app.serve.func1", 0, unpark.ClassChannel},
	} {
		e := edge(unpark.WaitSelect, "app.serve", "app.serve", unpark.Held{Class: unpark.Running, Share: 0.9})
		e.WaiterStack = stack("runtime.selectgo", "app.serve", "net/http.(*conn).serve")
		e.HolderStack = stack(c.leaf, c.literal, "app.serve", "net/http.(*conn).serve")
		ev := chained(e)
		ev.Waits = []facts.Wait{waits(unpark.WaitSelect, 80, 10000, "block.pb.gz", "runtime.selectgo", "app.serve", "net/http.(*conn).serve")}
		ev.Tracing.Edges[0].Delay = 8
		ev.Tracing.Edges[0].Again = ev.Tracing.Edges[0].Count * c.again / 100
		_, findings, _ := diagnose.Verdict(ev, nil)
		if len(of(c.want, findings)) != 1 {
			t.Errorf("%s: %+v, want one of %s", c.name, findings, c.want)
		}
	}
}
