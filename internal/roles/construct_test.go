package roles_test

import (
	"testing"

	"github.com/unpark-go/unpark/internal/roles"
)

// TestConstructs: functions that are named New, or New and a type; methods, closures and words
// that begin alike are others.
func TestConstructs(t *testing.T) {
	for function, want := range map[string]bool{
		"github.com/klauspost/compress/zstd.NewWriter": true,
		"github.com/go-playground/validator/v10.New":   true,
		"example.com/set.New[...]":                     true,
		"gopkg.in/yaml%2ev3.NewDecoder":                true,
		"regexp.MustCompile":                           true,
		"github.com/expr-lang/expr.Compile":            true,
		"example.com/jsonschema.(*Compiler).Compile":   true,
		"example.com/geo.Open":                         true,
		"example.com/geo.OpenFile":                     true,
		"os.Open":                                      false,
		"os.OpenFile":                                  false,
		"example.com/geo.Opens":                        false,
		"example.com/geo.(*Reader).Open":               false,
		"example.com/build.Compiled":                   false,
		"example.com/cache.(*Cache).New":               false,
		"example.com/cache.NewCache.func1":             false,
		"example.com/news.Newest":                      false,
		"main.handle":                                  false,
		"runtime.newproc":                              false,
	} {
		if got := roles.Constructs(function); got != want {
			t.Errorf("%s: %v", function, got)
		}
	}
}
