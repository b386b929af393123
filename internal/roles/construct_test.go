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
		"github.com/google/uuid.NewString":             false,
		"example.com/http.NewRequest":                  false,
		"example.com/http.NewRequester":                true,
	} {
		if got := roles.Constructs(function); got != want {
			t.Errorf("%s: %v", function, got)
		}
	}
}

// TestPrepares: what is built, parsed or loaded by a library, and not what only sounds so, or reads what requests bring.
func TestPrepares(t *testing.T) {
	for function, want := range map[string]bool{
		"example.com/rules/builder.(*RuleBuilder).BuildRuleFromResource": true,
		"example.com/query.Parse":                 true,
		"example.com/query.MustParse":             true,
		"example.com/query.ParseWithOptions[...]": true,
		"example.com/font.(*Fonts).LoadData":      true,
		"example.com/query.parse":                 false,
		"example.com/query.Parser":                false,
		"example.com/query.(*Parser).Next":        false,
		"example.com/query.Parse.func1":           false,
		"example.com/query.Loaded":                false,
		"net/url.Parse":                           false,
		"strconv.ParseInt":                        false,
		"main.ParseBody":                          false,
	} {
		if got := roles.Is(function, roles.Prepares); got != want {
			t.Errorf("%s: %v", function, got)
		}
	}
}

// TestActs: of what is called for what it does there is no result to keep.
func TestActs(t *testing.T) {
	for function, want := range map[string]bool{
		"net/http.(*timeoutWriter).Write": true, "go.opentelemetry.io/otel/sdk/metric.(*int64Inst).Add": true, "log.Printf": true, "example.org/db.(*Rows).Next": true,
		"fmt.Fprint": true, "example.org/log.(*Logger).InfoContext": true, "example.org/lib.Address": false, "example.org/lib.Parse": false, "example.org/lib.(*Store).Settings": false,
		"example.org/list.SetOf[...]": true, "example.org/lib.Reader": false,
	} {
		if got := roles.Is(function, roles.Acts); got != want {
			t.Errorf("%s: %v", function, got)
		}
	}
}

// TestUnique: identifiers, random numbers, errors and requests are new ones each time; what makes such things is not.
func TestUnique(t *testing.T) {
	for function, want := range map[string]bool{
		"github.com/google/uuid.NewString": true, "github.com/oklog/ulid/v2.Make": true, "github.com/rs/xid.New": true, "github.com/segmentio/ksuid.NewRandom": true,
		"github.com/lithammer/shortuuid/v4.New": true, "example.org/trace.NewSpanID": true, "example.org/api.NewRequest": true, "example.org/api.NewError": true,
		"github.com/google/uuid.Parse": false, "example.org/api.NewRequester": false, "example.org/grid.New": false, "example.org/valid.New": false, "example.org/android.New": false,
		"example.org/trace.NewIDGenerator": false, "example.org/api.Request": false,
	} {
		if got := roles.Is(function, roles.Unique); got != want {
			t.Errorf("%s: %v", function, got)
		}
	}
}
