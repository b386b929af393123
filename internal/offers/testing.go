package offers

import (
	"go/ast"
	"regexp"
	"strings"
)

var (
	// forTests are the files in which a module has what stands in for it in tests: its functions set up a test and
	// are no setting of a service.
	forTests = regexp.MustCompile(`(?i)(^|_)(mock|fake|stub|testing|testutils?)(s|e[dr])?[_.]|^mock`)
	// standIns are the names of what stands in for something in tests, wherever it is declared.
	standIns = regexp.MustCompile(`^(\*?\w+\.)?(New|With|Set)?(Mock|Fake|Stub|Dummy)s?(?:[A-Z_]|$)`)
)

// tests reports whether a file is made for tests: it imports what runs them.
func tests(f *ast.File) bool {
	for _, i := range f.Imports {
		if i.Path.Value == `"testing"` || strings.HasPrefix(i.Path.Value, `"github.com/stretchr/testify`) {
			return true
		}
	}
	return false
}
