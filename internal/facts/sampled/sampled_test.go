package sampled_test

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts/sampled"
)

// TestIn: a generic function is the same one under the names that profiles and traces have for it; a method of another type is not.
func TestIn(t *testing.T) {
	r := sampled.Request{Spent: []sampled.Spent{
		{Class: unpark.WaitLock, Function: "app.(*Cache[...]).Get", Seconds: 2}, {Class: unpark.WaitLock, Function: "app.put", Seconds: 3}, {Class: unpark.Running, Seconds: 7},
	}}
	lock := []unpark.WaitClass{unpark.WaitLock}
	for name, c := range map[string]struct {
		classes   []unpark.WaitClass
		functions []string
		want      float64
	}{
		"by all its arguments": {lock, []string{`app.(*Cache[go.shape.string,go.shape.struct { Name string "json:\"name\"" }]).Get`}, 2},
		"of another type":      {lock, []string{"app.(*Store[go.shape.string]).Get"}, 0},
		"one that has none":    {lock, []string{"app.put"}, 3},
		"all of a class":       {lock, nil, 5},
		"another class":        {[]unpark.WaitClass{unpark.Running}, []string{"app.put"}, 0},
	} {
		if got := r.In(c.classes, c.functions...); got != c.want {
			t.Errorf("%s: %v s, want %v", name, got, c.want)
		}
	}
}
