package unpark

import (
	"strings"
	"unicode"
)

// Words returns the words of a name in camel case, in lower case: http, server of HTTPServer.
func Words(name string) []string {
	var out []string
	runes := []rune(name)
	begin := 0
	for i := 1; i <= len(runes); i++ {
		if i < len(runes) {
			rise := unicode.IsUpper(runes[i]) && !unicode.IsUpper(runes[i-1])
			last := unicode.IsUpper(runes[i]) && i+1 < len(runes) && unicode.IsLower(runes[i+1]) // HTTPServer
			if !rise && !last && runes[i] != '_' {
				continue
			}
		}
		if w := strings.Trim(strings.ToLower(string(runes[begin:i])), "_"); w != "" {
			out = append(out, w)
		}
		begin = i
	}
	return out
}
