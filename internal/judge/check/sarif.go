package check

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
)

// The parts of SARIF 2.1.0 that are written (OASIS, "Static Analysis Results
// Interchange Format (SARIF) Version 2.1.0", §3).
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		URI     string      `json:"informationUri"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string       `json:"id"`
		Short sarifMessage `json:"shortDescription"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string       `json:"level"`
		Message sarifMessage `json:"message"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifMessage      `json:"message"`
		Locations    []sarifLocation   `json:"locations,omitempty"`
		Related      []sarifLocation   `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		State        string            `json:"baselineState,omitempty"`
	}
	sarifLocation struct {
		ID       int             `json:"id,omitempty"`
		Physical *sarifPhysical  `json:"physicalLocation,omitempty"`
		Logical  []sarifFunction `json:"logicalLocations,omitempty"`
		Message  *sarifMessage   `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact struct {
			URI  string `json:"uri"`
			Base string `json:"uriBaseId,omitempty"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	}
	sarifRegion struct {
		Line int `json:"startLine"`
	}
	sarifFunction struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
)

// SARIF writes a check as SARIF 2.1.0: the findings of the run with file and line,
// those that break a bound as errors, and every bound that is broken, cannot be told
// or was not measured, at its line of the budget.
func SARIF(w io.Writer, c unpark.Check, p Places) error {
	var run sarifRun
	run.ColumnKind = "unicodeCodePoints"
	run.Tool.Driver = sarifDriver{
		Name: "unpark", Version: c.Unpark.Version, URI: "https://github.com/unpark-go/unpark", Rules: []sarifRule{},
	}
	call := sarifInvocation{Successful: !c.IsVoid()}
	for _, n := range c.Void {
		call.Notifications = append(call.Notifications, sarifNotification{"error", sarifMessage{escape.Prose(n.Message + ": " + n.Cure)}})
	}
	for _, n := range c.Warnings {
		call.Notifications = append(call.Notifications, sarifNotification{"warning", sarifMessage{escape.Prose(n.Message + ": " + n.Cure)}})
	}
	run.Invocations = []sarifInvocation{call}
	run.Results = []sarifResult{}
	p = p.Learn(c.Findings)
	for _, f := range c.Findings {
		run.add(findingResult(f, c, p), ruleText(f))
	}
	for _, j := range c.Bounds {
		if j.State != unpark.BoundKept {
			run.add(boundResult(j, c.Budget), "A bound of the budget: "+j.Metric)
		}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(sarifLog{
		Schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	})
}

// add appends a result and, when it is the first of its rule, the rule.
func (run *sarifRun) add(r sarifResult, text string) {
	rules := &run.Tool.Driver.Rules
	r.RuleIndex = slices.IndexFunc(*rules, func(x sarifRule) bool { return x.ID == r.RuleID })
	if r.RuleIndex < 0 {
		r.RuleIndex = len(*rules)
		*rules = append(*rules, sarifRule{r.RuleID, sarifMessage{escape.Prose(text)}})
	}
	run.Results = append(run.Results, r)
}

func ruleText(f unpark.Finding) string {
	return "What limits a Go service: a cause of class " + string(f.Class) + ", rule " + or(f.Rule, "unnamed")
}

func findingResult(f unpark.Finding, c unpark.Check, p Places) sarifResult {
	is := func(g unpark.Finding) bool { return g.Rule == f.Rule && g.Class == f.Class && g.Site == f.Site }
	level := "warning"
	if f.Confidence == unpark.Low {
		level = "note"
	}
	for _, j := range c.Bounds {
		if j.State == unpark.BoundBroken && slices.ContainsFunc(j.Findings, is) {
			level = "error"
		}
	}
	text := f.Title
	if s := f.Prediction.Summary; s != "" {
		text += ". " + s
	}
	r := sarifResult{
		RuleID: escape.Prose(or(f.Rule, "unnamed")), Level: level, Message: sarifMessage{escape.Prose(text)},
		// The line moves when code above it changes; the function stays.
		Fingerprints: fingerprint(f.Rule, string(f.Class), f.Site.Function),
	}
	if len(c.Baselines) > 0 && !c.IsVoid() {
		r.State = "unchanged"
		if slices.ContainsFunc(c.New, is) {
			r.State = "new"
		}
	}
	if !f.Site.IsZero() {
		r.Locations = []sarifLocation{location(f.Site, p)}
	}
	for i, s := range []*unpark.Site{f.Waiter, f.Holder} {
		if s != nil && !s.IsZero() {
			l := location(*s, p)
			l.ID, l.Message = len(r.Related)+1, &sarifMessage{[]string{"waits here", "holds it here"}[i]}
			r.Related = append(r.Related, l)
		}
	}
	return r
}

func boundResult(j unpark.Judged, budget string) sarifResult {
	level := "error"
	if j.State == unpark.BoundUnsure {
		level = "note"
	}
	r := sarifResult{
		RuleID: "budget/" + j.Metric, Level: level, Fingerprints: fingerprint("budget", j.Metric, j.At),
		Message: sarifMessage{escape.Prose(name(j.Bound) + " " + j.Text + " " + string(j.State) + ": " + outcome(j))},
	}
	if budget != "" {
		r.Locations = []sarifLocation{{Physical: physical(budget, !absolute(slashes(budget)), j.Line)}}
	}
	return r
}

func fingerprint(parts ...string) map[string]string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return map[string]string{"unpark/v1": hex.EncodeToString(sum[:16])}
}

func location(s unpark.Site, p Places) sarifLocation {
	l := sarifLocation{Logical: []sarifFunction{{escape.Prose(s.Function), "function"}}}
	if s.File != "" {
		file, below := p.File(s)
		l.Physical = physical(file, below, s.Line)
	}
	return l
}

// physical is a place in a file: relative to the repository, or where it lies.
func physical(file string, below bool, line int) *sarifPhysical {
	out := &sarifPhysical{}
	u := url.URL{Path: file}
	if below {
		out.Artifact.Base = "%SRCROOT%"
	} else if absolute(file) {
		u.Scheme, u.Path = "file", "/"+strings.TrimPrefix(file, "/")
	}
	out.Artifact.URI = u.String()
	if line > 0 {
		out.Region = &sarifRegion{line}
	}
	return out
}
