package escape_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/unpark-go/unpark/internal/escape"
)

func TestHostileNames(t *testing.T) {
	for _, test := range []struct{ name, line, prose, markdown string }{
		{"", "", "", ""},
		{"main.(*Cache).Get", "main.(*Cache).Get", "main.(*Cache).Get", "main.(&#42;Cache).Get"},
		{"\x1b[31mred\x07", `\x1b[31mred\a`, `\x1b[31mred\a`, "&#92;x1b&#91;31mred&#92;a"},
		{"\x1b]0;title\x1b\\", `\x1b]0;title\x1b\`, `\x1b]0;title\x1b\`, "&#92;x1b&#93;0;title&#92;x1b&#92;"},
		{"a\n\tb  c\x07", `a\n\tb  c\a`, `a b c\a`, "a b c&#92;a"},
		{" two\r\n\tlines  ", ` two\r\n\tlines  `, "two lines", "two lines"},
		{"a\u2028b\u00a0c", `a\u2028b\u00a0c`, "a b c", "a b c"},
		{"\u202egnp.exe\u200b", `\u202egnp.exe\u200b`, `\u202egnp.exe\u200b`, "&#92;u202egnp.exe&#92;u200b"},
		{"☺\ufe0f", `☺\ufe0f`, `☺\ufe0f`, "☺&#92;ufe0f"},
		{"\xff\xed\xa0\x80\ufffd", `\xff\xed\xa0\x80` + "\ufffd", `\xff\xed\xa0\x80` + "\ufffd", "&#92;xff&#92;xed&#92;xa0&#92;x80\ufffd"},
		{"\U000e0041", `\U000e0041`, `\U000e0041`, "&#92;U000e0041"},
		{"漢字é", "漢字é", "漢字é", "漢字é"},
		{"<script>&amp;", "<script>&amp;", "<script>&amp;", "&#60;script&#62;&#38;amp;"},
		{"a|b`c`@all #1 ~~x~~ _y_", "a|b`c`@all #1 ~~x~~ _y_", "a|b`c`@all #1 ~~x~~ _y_", "a&#124;b&#96;c&#96;&#64;all &#35;1 &#126;&#126;x&#126;&#126; &#95;y&#95;"},
		{"![x](y)", "![x](y)", "![x](y)", "!&#91;x&#93;(y)"},
		{"- item", "- item", "- item", "&#45; item"},
		{"\n---", `\n---`, "---", "&#45;--"},
		{"+1.9 %", "+1.9 %", "+1.9 %", "&#43;1.9 %"},
		{"===", "===", "===", "&#61;=="},
		{"1. item", "1. item", "1. item", "1&#46; item"},
		{"12)", "12)", "12)", "12&#41;"},
		{"1.5 ms", "1.5 ms", "1.5 ms", "1.5 ms"},
		{"7", "7", "7", "7"},
	} {
		for _, got := range []struct{ form, is, want string }{
			{"Line", escape.Line(test.name), test.line},
			{"Prose", escape.Prose(test.name), test.prose},
			{"Markdown", escape.Markdown(test.name), test.markdown},
		} {
			if got.is != got.want {
				t.Errorf("%s(%q) = %q, want %q", got.form, test.name, got.is, got.want)
			}
		}
	}
}

// FuzzEscape: what is printed is printable and on one line, and nothing in it means
// something to Markdown.
func FuzzEscape(f *testing.F) {
	f.Add("plain")
	f.Add("\x1b[31m\u202e\xff\u2028")
	f.Add("- a|b <b>`c`</b>\n1. x")
	reference := regexp.MustCompile(`&#\d+;`)
	list := regexp.MustCompile(`^([-+=]|\d+[.)]( |$))`)
	f.Fuzz(func(t *testing.T, s string) {
		for form, got := range map[string]string{"Line": escape.Line(s), "Prose": escape.Prose(s), "Markdown": escape.Markdown(s)} {
			if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Errorf("%s(%q) = %q", form, s, got)
			}
		}
		if plain := reference.ReplaceAllString(escape.Markdown(s), ""); strings.ContainsAny(plain, "\\`*_[]<>#|&~@") || list.MatchString(escape.Markdown(s)) {
			t.Errorf("Markdown(%q) = %q", s, escape.Markdown(s))
		}
	})
}
