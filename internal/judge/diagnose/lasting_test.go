package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestLasting: what gets credentials, a token or keys is told to keep them, the innermost of what is named so.
func TestLasting(t *testing.T) {
	for stack, want := range map[string]string{
		"net/http.(*Client).Do sts.(*Client).AssumeRole stscreds.(*AssumeRoleProvider).Retrieve main.get": "sts.(*Client).AssumeRole",
		"net/http.(*Client).Do oauth.RetrieveToken oauth.(*tokenSource).Token main.get":                   "oauth.RetrieveToken",
		"net/http.(*Client).Do oidc.(*remoteKeySet).keys main.get":                                        "oidc.(*remoteKeySet).keys",
		"net/http.(*Client).Do text.(*Tokenizer).Next main.get":                                           "",
		"net/http.(*Client).Do shop.(*Client).Prices main.get":                                            "",
		"go/token.(*FileSet).Token main.get":                                                              "",
	} {
		var sites []unpark.Site
		for _, f := range strings.Fields(stack) {
			sites = append(sites, unpark.Site{Function: f})
		}
		got := ""
		for _, r := range lasting(facts.Wait{Stack: sites}) {
			_, rest, _ := strings.Cut(r.Title, "keys that ")
			got, _, _ = strings.Cut(rest, " gets")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", stack, got, want)
		}
	}
}
