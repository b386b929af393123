package diagnose_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/judge/diagnose"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// ruleFile is a file of one rule: rule_lock.go, rule_lock_floors.go.
var ruleFile = regexp.MustCompile(`^rule_([a-z]+)(?:_[a-z]+)?\.go$`)

// TestRulesDoNotCallEachOther: what two rules ask is a table of the model, or a function
// of a file that is not a rule's.
func TestRulesDoNotCallEachOther(t *testing.T) {
	rules := map[string]bool{}
	for _, r := range diagnose.Rules() {
		rules[strings.ReplaceAll(r.ID, "-", "")] = true
		if _, err := os.Stat("rule_" + r.ID + ".go"); err != nil {
			t.Errorf("rule %s: %v", r.ID, err)
		}
		for _, s := range r.Supersedes {
			if s.Rule == r.ID || s.Same == nil || !slices.ContainsFunc(diagnose.Rules(), func(o diagnose.Rule) bool { return o.ID == s.Rule }) {
				t.Errorf("rule %s supersedes %q", r.ID, s.Rule)
			}
		}
	}
	files := map[string]*ast.File{}
	owner := map[string]string{} // of a function or constant: the rule
	names, err := filepath.Glob("rule_*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		m := ruleFile.FindStringSubmatch(name)
		if m == nil || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if !rules[m[1]] {
			t.Errorf("%s is of no rule", name)
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = f
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				owner[fn.Name.Name] = m[1]
			}
		}
	}
	for name, f := range files {
		mine := ruleFile.FindStringSubmatch(name)[1]
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if id, ok := call.Fun.(*ast.Ident); ok && owner[id.Name] != "" && owner[id.Name] != mine {
				t.Errorf("%s calls %s, which is the rule %s's", name, id.Name, owner[id.Name])
			}
			return true
		})
	}
}

// TestModelIsNotChanged: whatever reads it, in whatever order.
func TestModelIsNotChanged(t *testing.T) {
	for _, name := range fixtures(t) {
		ev := evidence(t, name)
		m, same := model.New(ev), model.New(ev)
		limit, findings, _ := diagnose.Verdict(ev, nil)
		for _, r := range diagnose.Rules() {
			r.Run(m)
		}
		diagnose.Costs(m, limit, findings)
		diagnose.Tables(m)
		diagnose.Blocking(m)
		diagnose.Unsaid(m)
		if !reflect.DeepEqual(m, same) {
			t.Errorf("%s: the model is another one", name)
		}
	}
}
