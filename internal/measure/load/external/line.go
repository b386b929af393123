package external

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The words that are replaced in a load command, and the environment variables that
// hold the same.
const (
	wordURL     = "{url}"
	wordSeconds = "{seconds}"
	envURL      = "UNPARK_URL"
	envSeconds  = "UNPARK_SECONDS"
)

// NeedsURL reports whether a load command asks for the target's address.
func NeedsURL(line string) bool {
	return strings.Contains(line, wordURL) || strings.Contains(line, envURL)
}

// told reports whether a load command asks how long it should run: it will then end
// by itself.
func told(line string) bool {
	return strings.Contains(line, wordSeconds) || strings.Contains(line, envSeconds)
}

// wholeSeconds rounds up: a generator that takes whole seconds should not end early.
func wholeSeconds(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
}

// expand replaces the words in a shell command. An address holds characters that a
// shell reads ("&", "?", ";"), so it is quoted as the place where it stands demands.
func expand(line, url, seconds string) string {
	var b strings.Builder
	quote := byte(0) // the open quotation mark
	for i := 0; i < len(line); {
		if strings.HasPrefix(line[i:], wordURL) {
			b.WriteString(quoted(url, quote))
			i += len(wordURL)
			continue
		}
		if strings.HasPrefix(line[i:], wordSeconds) {
			b.WriteString(seconds)
			i += len(wordSeconds)
			continue
		}
		c := line[i]
		b.WriteByte(c)
		i++
		switch {
		case c == '\\' && quote != '\'' && i < len(line):
			b.WriteByte(line[i])
			i++
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		}
	}
	return b.String()
}

// quoted writes text so that a POSIX shell takes it literally, outside of quotation
// marks or inside of an open pair.
func quoted(text string, quote byte) string {
	switch quote {
	case '\'':
		return strings.ReplaceAll(text, "'", `'\''`)
	case '"':
		return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(text)
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// summaryExport finds where the command itself lets k6 write its summary.
func summaryExport(line string) string {
	m := regexp.MustCompile(`--summary-export[= ]\s*("[^"]+"|'[^']+'|[^\s|;&]+)`).FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	return strings.Trim(m[1], `"'`)
}

// Hint says what to change in a load command whose output was not understood. The
// name of the tool is only a hint: a script can run anything.
func Hint(line string) string {
	for _, h := range []struct{ tool, cure string }{
		{"vegeta", "write `vegeta attack … | vegeta report -type=json`"},
		{"autocannon", "write `autocannon --json -d {seconds} {url}`: it prints nothing when it is interrupted, and {seconds} makes it end by itself"},
		{"oha", "add --output-format json (-j before oha 1.9)"},
		{"k6", "let k6 write its summary where unpark asks for it: leave --no-summary and --summary-export out"},
		{"wrk", "let wrk print its own report on standard output"},
	} {
		if regexp.MustCompile(`\b` + h.tool + `\b`).MatchString(line) {
			return h.cure
		}
	}
	return "use one of these formats, or let unpark drive the load itself (-c, --rate)"
}
