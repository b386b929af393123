package offers

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestPages: how many things a call of another service gets, in what it is given, also where that has it from another type; not of what
// computes, of how many there may be of all, or of what is given something else.
func TestPages(t *testing.T) {
	const hub = `
type ListOptions struct {
	Page int
	// PerPage is how many results are on a page.
	PerPage int
}

type IssueOptions struct {
	State string
	ListOptions
}

type Client struct{}

// List gets issues.
func (c *Client) List(opts *IssueOptions) error { return c.do() }

func (c *Client) Get(id int) error { return c.do() }

func (c *Client) do() error { return nil }
`
	for what, c := range map[string]struct {
		class            unpark.Class
		text, call, want string
	}{
		"by a type within":     {unpark.ClassDownstream, hub, "List", "ListOptions.PerPage"},
		"of the type itself":   {unpark.ClassDownstream, strings.Replace(hub, "\tListOptions\n", "\tPageSize int64\n", 1), "List", "IssueOptions.PageSize"},
		"of all that there is": {unpark.ClassDownstream, strings.ReplaceAll(hub, "PerPage", "Limit"), "List", ""},
		"of one thing":         {unpark.ClassDownstream, hub, "Get", ""},
		"of what computes":     {unpark.ClassCPU, hub, "List", ""},
		"no number":            {unpark.ClassDownstream, strings.ReplaceAll(hub, "PerPage int", "PerPage string"), "List", ""},
	} {
		if got := told(t, unpark.OfferPage, c.class, c.text, ".(*Client).do .(*Client)."+c.call+" main.main"); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}
