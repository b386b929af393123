package kubectl

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/unpark-go/unpark/internal/escape"
)

// Reason is why kubectl failed, as far as its words tell.
type Reason string

// Reasons.
const (
	Unexplained  Reason = ""
	Forbidden    Reason = "forbidden"   // a right is missing: Failure.Right
	Refused      Reason = "refused"     // by an admission rule: quota, pod security, a webhook
	NotFound     Reason = "not found"   //
	Unreachable  Reason = "unreachable" // no answer of the cluster
	Unauthorized Reason = "unauthorized"
	Invalid      Reason = "invalid" // the server does not know a field, or refuses a value
	Late         Reason = "late"    // kubectl did not end in time
)

// Right is what a role must grant.
type Right struct {
	Verb      string
	Resource  string // plural, with its subresource: pods/exec
	Group     string // API group; empty: core
	Namespace string
}

// Check is the command that tells whether one has the right.
func (r Right) Check() string {
	resource, sub, _ := strings.Cut(r.Resource, "/")
	if r.Group != "" {
		resource += "." + r.Group
	}
	line := "kubectl auth can-i " + r.Verb + " " + resource
	if sub != "" {
		line += " --subresource=" + sub
	}
	if r.Namespace != "" {
		line += " --namespace=" + r.Namespace
	}
	return line
}

// Failure is a kubectl that failed.
type Failure struct {
	Line   string // the command, without what a pod is to run
	Said   string // the last of what kubectl wrote to standard error, safe to print
	Reason Reason
	Right  Right // of Forbidden
	Cause  error
}

// Error says what was tried, why it failed and what to do.
func (f *Failure) Error() string {
	said := f.Said
	if said == "" && f.Cause != nil {
		said = f.Cause.Error()
	}
	text := f.Line + ": " + said
	if cure := f.cure(); cure != "" {
		text += ": " + cure
	}
	return text
}

func (f *Failure) Unwrap() error { return f.Cause }

func (f *Failure) cure() string {
	switch f.Reason {
	case Forbidden:
		return fmt.Sprintf("the right to %s %s is missing; check with `%s`, and see docs/kube.md for the Role to ask for", f.Right.Verb, f.Right.Resource, escape.Prose(f.Right.Check()))
	case Refused:
		return "a rule of the cluster refused it, not a missing right: what it names has to be changed there, or another --namespace, --image, --agent-cpu or --agent-memory used"
	case NotFound:
		return "check the name, --namespace and --context"
	case Unreachable:
		return "check with `kubectl cluster-info` that this context is the right one and its cluster can be reached from here"
	case Unauthorized:
		return "log in again: the credentials of this context are not, or no longer, accepted (`kubectl auth whoami`)"
	case Invalid:
		return "the cluster takes no such object: unpark needs Kubernetes 1.29 or later"
	case Late:
		return "the cluster did not answer in time: check with `kubectl cluster-info`"
	}
	return ""
}

var ( // not changed
	forbidden = regexp.MustCompile(`cannot (\S+) resource "([^"]+)" in API group "([^"]*)"(?: in the namespace "([^"]+)")?`)
	admission = regexp.MustCompile(`(?i)violates PodSecurity|exceeded quota|admission webhook|admission policy|failed quota|is forbidden: (?:maximum|minimum) |unable to validate against any security context`)
	logLine   = regexp.MustCompile(`^[EWIF]\d{4} \d\d:`) // klog
	missing   = regexp.MustCompile(`(?i)\(NotFound\)|" not found|context "[^"]*" does not exist|context was not found|cannot locate context|doesn't have a resource type`)
	away      = regexp.MustCompile(`(?i)connection to the server .* was refused|unable to connect to the server|no such host|i/o timeout|connection refused|x509:|couldn't get current server API`)
	login     = regexp.MustCompile(`(?i)Unauthorized|must be logged in|getting credentials|exec plugin`)
	invalid   = regexp.MustCompile(`(?i)\(Invalid\)|is invalid:|strict decoding error|unknown field|\(BadRequest\)|error validating`)
)

// explain reads the words of kubectl: it has no exit statuses that would tell.
func explain(c *Client, args []string, said string, cause error) *Failure {
	f := &Failure{Line: c.line(args), Said: last(said), Cause: cause}
	switch m := forbidden.FindStringSubmatch(said); {
	case errors.Is(cause, context.DeadlineExceeded):
		f.Reason = Late
	case m != nil:
		f.Reason = Forbidden
		f.Right = Right{Verb: m[1], Resource: m[2], Group: m[3], Namespace: m[4]}
	case admission.MatchString(said):
		f.Reason = Refused
	case login.MatchString(said):
		f.Reason = Unauthorized
	case missing.MatchString(said):
		f.Reason = NotFound
	case invalid.MatchString(said):
		f.Reason = Invalid
	case away.MatchString(said):
		f.Reason = Unreachable
	}
	return f
}

// line is the command as errors call it: what a pod is to run can be long, and what is read
// from standard input is not there.
func (c *Client) line(args []string) string {
	shown := []string{"kubectl"}
	for _, a := range args {
		if a == "--" {
			break
		}
		if !strings.HasPrefix(a, "--output=") {
			shown = append(shown, a)
		}
	}
	return escape.Prose(strings.Join(shown, " "))
}

// last is the last lines that say something, in one line.
func last(said string) string {
	const most = 3
	var lines []string
	for l := range strings.Lines(said) {
		l = strings.TrimSpace(l)
		// Its own log lines say the same in other words, and which versions go together is no cause.
		if l != "" && !logLine.MatchString(l) && !strings.HasPrefix(strings.ToUpper(l), "WARNING:") {
			lines = append(lines, strings.TrimPrefix(l, "error: "))
		}
	}
	return escape.Prose(strings.Join(lines[max(0, len(lines)-most):], "; "))
}
