package proc

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"plain\ttext é 中 🙂\n":                          "plain\ttext é 中 🙂\n",
		"\x1b[31mred\x1b[0m \x1b[2J\x1b[1;1Hgone":      "red gone",
		"\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b":     "ab",
		"\x1bPq#0;2\x1b\\sixel":                        "sixel",
		"over\rwritten\x08\x7f\x00 \a":                 "overwritten ",
		"\x1b(Bcharset \x1b#8\x1b=\x1bMx":              "charset x",
		"\u009b31mC1\u0085 \u009d0;t\u009c\x07 \u00a9": "C1  ©",
		"\x1b]0;never ended\nnext line":                "\nnext line",
		"\x1b[31\x1b[0mtwice":                          "twice",
		"end\x1b":                                      "end",
		"\xc2":                                         "",
		"\xc2\x15\x98 \xc2\x1b[m\x9b2J":                "\ufffd\x98 \ufffd\x9b2J",
		"\xc2\xc2\xa9 \xc2A":                           "\ufffd© \ufffdA",
	} {
		if got := clean([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What comes in pieces is cleaned like the whole.
func FuzzClean(f *testing.F) {
	for _, text := range []string{"a\x1b[31mb", "\x1b]0;t\x1b\\x", "\u009b1mz\n", "\xc2\x1b\xc2[m", "\xc2\x15\x98"} {
		f.Add([]byte(text), 3)
	}
	f.Fuzz(func(t *testing.T, text []byte, at int) {
		whole := clean(text)
		if strings.ContainsAny(whole, "\x1b\x07\x08\r\x7f\x00") {
			t.Errorf("%q: %q", text, whole)
		}
		if utf8.ValidString(whole) && strings.ContainsFunc(whole, func(r rune) bool { return r >= 0x80 && r < 0xa0 }) {
			t.Errorf("%q: %q has a control character", text, whole)
		}
		at = min(max(at, 0), len(text))
		var parts bytes.Buffer
		c := cleaner{to: &parts}
		for _, p := range [][]byte{text[:at], text[at:]} {
			if n, err := c.Write(p); n != len(p) || err != nil {
				t.Fatal(n, err)
			}
		}
		if parts.String() != whole {
			t.Errorf("%q in two: %q, as a whole %q", text, parts.String(), whole)
		}
	})
}
