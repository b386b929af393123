package unpark

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// redacted stands for what may be secret, as in net/url's URL.Redacted.
const redacted = "xxxxx"

// RedactURL returns a URL as it may be shown and stored: what stands before the host
// (name and password) and the values of the query are replaced by "xxxxx", the names
// of the query stay. A fragment is left out, it is never sent. It works on the text,
// so that what cannot be parsed is redacted too; a weight ("9*http://…") stays. Of a
// redacted URL it changes nothing.
func RedactURL(address string) string {
	shown, _ := redactURL(address)
	return shown
}

// redactURL also returns what was replaced.
func redactURL(address string) (shown, secret string) {
	named := strings.Contains(address, "@")
	address, _, _ = strings.Cut(address, "#")
	base, query, queried := strings.Cut(address, "?")
	scheme, rest := "", base
	if i := strings.Index(base, "://"); i >= 0 {
		scheme, rest = base[:i+3], base[i+3:]
	}
	if end := userEnd(rest); named && end >= 0 && !strings.HasSuffix(scheme, Unix) {
		secret, rest = rest[:end], redacted+rest[end:]
	}
	shown = scheme + rest
	if queried {
		shown += "?" + redactQuery(query)
		secret += "?" + query
	}
	return shown, secret
}

// userEnd is where "user:password" before a host ends, −1 without one; there is an @
// somewhere. A password with a slash or a question mark in it breaks the URL, and is
// found all the same: nothing else has a colon that no port follows.
func userEnd(rest string) int {
	authority := rest
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		authority = rest[:i]
	}
	if at := strings.LastIndexByte(authority, '@'); at > 0 {
		return at
	}
	_, port, found := strings.Cut(authority, ":")
	if !found || strings.HasPrefix(authority, "[") || strings.Trim(port, "0123456789") == "" || strings.HasPrefix(port, "{{") {
		return -1
	}
	if at := strings.LastIndexByte(rest, '@'); at > 0 {
		return at
	}
	return len(authority)
}

func redactQuery(query string) string {
	if query == "" {
		return ""
	}
	pairs := strings.FieldsFunc(query, func(c rune) bool { return c == '&' || c == ';' })
	for i, pair := range pairs {
		name, value, named := strings.Cut(pair, "=")
		switch {
		case !named: // it may be the secret itself
			pairs[i] = redacted
		case value != "":
			pairs[i] = name + "=" + redacted
		}
	}
	return strings.Join(pairs, "&")
}

// addresses finds the URLs in a text, and closing is what may follow one there.
var addresses = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>` + "`" + `\\]+`)

const closing = ".,:;!)]}"

// RedactText redacts every URL in a text, such as an error that quotes one.
func RedactText(text string) string {
	return addresses.ReplaceAllStringFunc(text, func(address string) string {
		end := len(strings.TrimRight(address, closing))
		return RedactURL(address[:end]) + address[end:]
	})
}

// errURL stands for an error that may quote what is secret.
var errURL = errors.New("it cannot be parsed")

// RedactParse returns why a URL could not be parsed, from the error of net/url, without
// the URL, and without a cause that may quote a secret part of it.
func RedactParse(address string, err error) error {
	if _, secret := redactURL(address); secret != "" {
		return errURL
	}
	var parse *url.Error
	if errors.As(err, &parse) {
		return parse.Err
	}
	return err
}

// telling finds the names of flags and variables that hold a secret.
var telling = regexp.MustCompile(`(?i)(token|secret|passw(or)?d|api[-_]?key|private[-_]?key|credential|authorization)`)

// RedactCommand returns a command as it may be shown and stored: URLs are redacted,
// and so are the values of flags and variables whose names say that they are secret:
// -token=abc, --password abc, API_KEY=abc.
func RedactCommand(words []string) []string {
	out := slices.Clone(words)
	for i, word := range words {
		flag := strings.HasPrefix(word, "-")
		name, _, valued := strings.Cut(word, "=")
		switch {
		case valued && telling.MatchString(name) && !strings.Contains(name, "://"):
			out[i] = name + "=" + redacted
		case i > 0 && !flag && strings.HasPrefix(words[i-1], "-") && !strings.Contains(words[i-1], "=") && telling.MatchString(words[i-1]):
			out[i] = redacted
		default:
			out[i] = RedactText(word)
		}
	}
	return out
}

// RedactEnv returns "NAME=value" of an environment as it may be shown and stored:
// the name alone, but for what the Go runtime reads, which is no secret and often
// what a comparison is about.
func RedactEnv(assignment string) string {
	name, _, valued := strings.Cut(assignment, "=")
	switch name {
	case "GOGC", "GOMEMLIMIT", "GOMAXPROCS", "GODEBUG", "GOTRACEBACK":
		return assignment
	}
	if !valued {
		return name
	}
	return name + "=" + redacted
}

// Redacted returns the plan as it may be shown and stored. It can no longer be
// carried out.
func (p Plan) Redacted() Plan {
	p.Requests = slices.Clone(p.Requests)
	for i := range p.Requests {
		r := &p.Requests[i]
		r.Varied = r.FilledIn()
		shown, secret := redactURL(r.URL)
		if shown != r.URL && secret != "" {
			sum := sha256.Sum256([]byte(secret))
			r.Sum = hex.EncodeToString(sum[:1])
		}
		r.URL = shown
	}
	return p
}

// Redacted returns the target as it may be shown and stored.
func (t Target) Redacted() Target {
	t.Command, t.Pprof, t.URL = RedactCommand(t.Command), slices.Clone(t.Pprof), RedactURL(t.URL)
	for i, address := range t.Pprof {
		t.Pprof[i] = RedactURL(address)
	}
	return t
}
