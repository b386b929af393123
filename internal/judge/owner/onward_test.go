package owner

import (
	"fmt"
	"strings"
	"testing"
)

// TestHandedOn: what hands a request on is not what costs, whether it is a library's interceptor or one handler around
// the next; where several ways meet something may cost that is on none of them worth a name.
func TestHandedOn(t *testing.T) {
	for _, c := range []struct{ name, tree, want string }{
		{
			"an interceptor of a library, and what it calls is less than is worth a name", `
			main.h main.wrap lib.Intercept main.serve main.write main.store 12
			main.h main.wrap lib.Intercept main.serve main.write main.check 9
			main.h main.wrap lib.Intercept main.serve 4
			main.h main.wrap lib.Intercept lib.validate 7
			main.h main.x 33
			main.h main.y 35`,
			"main.y in main.y 0.35, main.x in main.x 0.33, main.write in main.write 0.21",
		},
		{
			"one that forks itself", `
			main.h main.wrap lib.Intercept main.a 9
			main.h main.wrap lib.Intercept main.b 9
			main.h main.wrap lib.Intercept lib.validate 14
			main.h main.x 33
			main.h main.y 35`,
			"main.y in main.y 0.35, main.x in main.x 0.33, lib.Intercept in main.wrap 0.32",
		},
		{
			"closures around closures", `
			main.h main.chain.func1 main.a.func1 main.chain.func1 main.write 45
			main.h main.chain.func1 main.a.func1 main.chain.func1 main.read 40
			main.h 15`,
			"main.write in main.write 0.45, main.read in main.read 0.40",
		},
		{
			"ways meet that are worth no name each", `
			main.h main.a main.query lib.Filter lib.next 12
			main.h main.a main.query lib.Filter 8
			main.h main.b main.query lib.Filter lib.next 14
			main.h main.b main.query lib.Filter 10
			main.h main.c 28
			main.h main.d 28`,
			"lib.Filter in main.query 0.44",
		},
		{
			"they meet below one function, whose work it is", `
			main.h main.store main.a sql.Exec sql.step 16
			main.h main.store main.b sql.Exec sql.step 16
			main.h main.store main.b json.Marshal 12
			main.h main.store main.a json.Marshal 10
			main.h main.c 23
			main.h main.d 23`,
			"main.store in main.store 0.54",
		},
		{
			"they meet where they fork again", `
			main.h main.a main.route main.x 20
			main.h main.b main.route main.y 24
			main.h main.c 28
			main.h main.d 28`,
			"",
		},
		{
			"in what everything is written with", `
			main.h main.a fmt.Sprintf 20
			main.h main.b fmt.Sprintf 24
			main.h main.c 28
			main.h main.d 28`,
			"",
		},
	} {
		tree := grown(c.tree)
		var got []string
		for _, o := range Find(tree, 0.3, true) {
			got = append(got, fmt.Sprintf("%s in %s %.2f", o.Culprit.Function, o.Site.Function, o.Value/tree.Total))
		}
		if is := strings.Join(got, ", "); is != c.want {
			t.Errorf("%s:\n is   %s\n want %s", c.name, is, c.want)
		}
	}
}
