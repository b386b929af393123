package offers

import (
	"go/ast"
	"go/types"
	"regexp"

	"github.com/unpark-go/unpark"
)

// registrars are the names of methods that are called when something is set up.
var registrars = regexp.MustCompile(`^(On|Use|Add|Register|Hook|Handle|Subscribe|Append|Before|After)([A-Z]|$)`)

// registers is a call of a service's, within requests, that adds a function or an interface to a list of what it is called on: each use of
// that goes through all that were added.
func registers(p *source, function string) []found {
	d := p.funcs[local(function)]
	if d == nil || !d.Name.IsExported() || d.Recv == nil || d.Body == nil || !registrars.MatchString(d.Name.Name) || len(d.Recv.List[0].Names) == 0 {
		return nil
	}
	own, params, list := d.Recv.List[0].Names[0].Name, parameters(d), ""
	ast.Inspect(d.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return true
		}
		to, field := a.Lhs[0].(*ast.SelectorExpr)
		call, appends := a.Rhs[0].(*ast.CallExpr)
		if !field || !appends || lastName(to.X) != own || lastName(call.Fun) != "append" || len(call.Args) != 2 || lastName(call.Args[0]) != to.Sel.Name {
			return true
		}
		given := lastName(call.Args[1])
		if _, is := params[given]; is && callable(p, d, given) {
			list = to.Sel.Name
		}
		return true
	})
	if list == "" {
		return nil
	}
	return []found{{setting: setting{name: nameOf(d), kind: list, doc: firstOf(d.Doc), pkg: p}, at: function, score: 1}}
}

// callable reports whether a parameter is a function, by its type or by the name of that within the package.
func callable(p *source, d *ast.FuncDecl, param string) bool {
	for _, f := range d.Type.Params.List {
		for _, id := range f.Names {
			_, is := f.Type.(*ast.FuncType)
			if _, rest := f.Type.(*ast.Ellipsis); rest {
				is = true
			}
			if id.Name == param && (is || p.functional[typeOf(f.Type)] || p.interfaces[typeOf(f.Type)] != nil) {
				return true
			}
		}
	}
	return false
}

// rewrites is a function that takes a whole text and gives it with a change, where several lines of the service call it: each
// of them goes through all of the text, and copies it.
func rewrites(p *source, function string, f unpark.Finding) []found {
	d := p.funcs[local(function)]
	if d == nil || !d.Name.IsExported() || d.Recv != nil || waits(f.Class) || len(f.From) < 2 || len(d.Type.Params.List) == 0 || d.Type.Results == nil || deprecated(d.Doc) {
		return nil
	}
	first := d.Type.Params.List[0]
	kind := types.ExprString(first.Type)
	if kind != "string" && kind != "[]byte" || len(first.Names) == 0 || types.ExprString(d.Type.Results.List[0].Type) != kind || len(parameters(d)) < 2 {
		return nil
	}
	if words := unpark.Words(d.Name.Name); !changes(words) {
		return nil
	}
	return []found{{setting: setting{name: nameOf(d), kind: first.Names[0].Name, doc: firstOf(d.Doc), pkg: p}, at: function, score: 1}}
}
