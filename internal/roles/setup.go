package roles

import "strings"

// Setup is a call whose result does not depend on the request, with what to do instead.
type Setup struct {
	Does    string   // with its subject left out: "compiles a pattern"
	Instead string   // one sentence
	begins  []string // names of the library's functions begin so
	// After is what the set-up Does that makes the thing, where the library does this at its first use; else empty.
	After string
}

// setups lists them. Documentation says of each result that it may be shared by
// goroutines: regexp.Regexp, template.Template, time.Location, sql.DB, tls.Certificate,
// metrics and keys; a math/rand.Rand may not, but the package's own functions may.
var setups = []Setup{
	{"compiles a pattern", "Compile the pattern once, into a package variable: a regexp.Regexp may be used by many goroutines", []string{
		"regexp.Compile", "regexp.MustCompile", "regexp.Match", "regexp/syntax.Parse",
		"github.com/dlclark/regexp2.Compile", "github.com/dlclark/regexp2.MustCompile",
	}, ""},
	{"parses a template", "Parse the template once, when the service starts: it may be executed by many goroutines", []string{
		"text/template.(*Template).Parse", "text/template.Parse", "html/template.(*Template).Parse", "html/template.Parse",
	}, ""},
	{"escapes a template", "Keep the template that was executed first: html/template escapes it then, and one that is parsed or cloned for each request is escaped for each", []string{
		"html/template.escapeTemplate",
	}, "parses a template"},
	{"loads a time zone", "Load the time zone once and keep the *time.Location", []string{"time.LoadLocation"}, ""},
	{"reads a key or a certificate", "Parse it once and keep the result; where keys change, keep them by their identifier", []string{
		"crypto/tls.X509KeyPair", "crypto/tls.LoadX509KeyPair", "crypto/x509.SystemCertPool", "crypto/x509.(*CertPool).AppendCertsFromPEM",
		"crypto/x509.ParsePKCS1", "crypto/x509.ParsePKCS8", "crypto/x509.ParseEC", "crypto/x509.ParsePKIX",
		"github.com/golang-jwt/jwt.ParseRSA", "github.com/golang-jwt/jwt.ParseEC",
	}, ""},
	{"opens a database", "Open the database once: a sql.DB is a pool of connections for all requests", []string{"database/sql.Open"}, ""},
	{"seeds a generator", "Use the functions of math/rand/v2: they need no seed, and no generator of one's own", []string{
		"math/rand.NewSource", "math/rand.(*Rand).Seed", "math/rand.(*rngSource).Seed",
	}, ""},
	// Register checks and keeps what it is given for good; the same again is an error, AlreadyRegisteredError (registry.go).
	{"registers metrics", "Register metrics once, when the service starts, and keep what is made with them: a middleware that registers is built once as well, not for each request", []string{
		"github.com/prometheus/client_golang/prometheus.(*Registry).Register", "github.com/prometheus/client_golang/prometheus.(*Registry).MustRegister",
		"github.com/prometheus/client_golang/prometheus.Register", "github.com/prometheus/client_golang/prometheus.MustRegister",
	}, ""},
	{"compiles a schema or a program", "Compile it once, when the service starts, and keep the result", []string{
		"github.com/xeipuuv/gojsonschema.NewSchema", "github.com/santhosh-tekuri/jsonschema.(*Compiler).Compile", "github.com/go-playground/validator.New",
		"github.com/google/cel-go/cel.NewEnv", "github.com/google/cel-go/cel.(*Env).Compile", "github.com/expr-lang/expr.Compile",
	}, ""},
}

// SetupOf returns the set-up that a function makes; false when it is none.
func SetupOf(function string) (Setup, bool) {
	function = canonical(function)
	for _, s := range setups {
		for _, begin := range s.begins {
			if strings.HasPrefix(function, begin) {
				return s, true
			}
		}
	}
	return Setup{}, false
}
