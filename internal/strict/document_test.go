package strict_test

import (
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/unpark-go/unpark/internal/strict"
)

// read takes mappings of a, and of b with the word in it.
func read(text string) (map[string]string, error) {
	d, err := strict.Parse("f", "letter", []byte(text))
	if err != nil {
		return nil, err
	}
	if d.Root == nil {
		d.Failallf("it is empty")
		return nil, d.Err()
	}
	out := map[string]string{}
	d.Pairs(d.Root, strict.Mapping{What: "a letter", Value: "WORD", Like: "alpha: x", Twice: "write KEY: [x, y]"}, func(key, value *yaml.Node) {
		switch key.Value {
		case "alpha":
			out["alpha"] = strict.At(value).Value
			if strict.Null(value) {
				d.FailAtf(strict.At(value), "alpha has no value")
			}
		case "beta":
			d.Pairs(value, strict.Mapping{What: "beta", Like: "gamma: x"}, func(key, _ *yaml.Node) {
				d.Unknown(key, "beta", []string{"gamma"})
			})
		default:
			d.Unknown(key, "", []string{"alpha", "beta"})
		}
	})
	return out, d.Err()
}

func TestDocument(t *testing.T) {
	got, err := read("# a comment\nalpha: x\n")
	if err != nil || got["alpha"] != "x" {
		t.Errorf("%v, %v", got, err)
	}
	for text, want := range map[string]string{
		"":                              "f:1:1: it is empty",
		"# nothing\n":                   "f:1:1: it is empty",
		"[a]":                           "f:1:1: a letter is a list of lines KEY: WORD, such as alpha: x",
		"beta: x":                       "f:1:7: beta is a list of lines KEY: VALUE, such as gamma: x",
		"alpha: x\nalpha: y":            "f:2:1: alpha is there already, on line 1: write alpha: [x, y]",
		"beta:\n  a: x\n  a: y":         "f:3:3: a is there already, on line 2: keep one of them",
		"? [a]\n: x":                    "f:1:3: a key is a word",
		"\nalhpa: x":                    `f:2:1: unknown key "alhpa": did you mean "alpha"?`,
		"other: x":                      `f:1:1: unknown key "other": the keys are alpha, beta`,
		"beta: {gama: x}":               `f:1:8: unknown key "gama" in beta: did you mean "gamma"?`,
		"b: &b {alpha: x}\n<<: *b":      `f:2:1: unknown key "<<"`,
		"alpha:":                        "f:1:7: alpha has no value",
		"alpha: x\n---\nalpha: y":       "f:1:1: a second document in one file: keep one letter in each",
		"alpha: x\nbeta: b: c":          "f:2: no YAML: mapping values",
		"alpha: \x01":                   "f:1: no YAML: control characters",
		"one: x\nother: y":              "\nf:2:1: unknown", // all of them at once
		strings.Repeat("? [a]\n:\n", 3): "f:5:3: a key is a word",
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
	if _, err := read(strings.Repeat("? [a]\n: x\n", 50)); err == nil || strings.Count(err.Error(), "\n") != 9 {
		t.Errorf("want ten errors, have %v", err)
	}
}

// FuzzRead: no text makes it panic, and every error begins with the file and a line.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"", "alpha: x", "beta: {gamma: x}", "a: &a [*a]\n<<: *a\n? {}\n: - - -", "--- {}\n---\n", "\xff", "alpha: \x01", "{a: b: c}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := read(text)
		if err == nil {
			return
		}
		if at, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "f:"), ":"); at == "" || strings.Trim(at, "0123456789") != "" {
			t.Errorf("%q: %v", text, err)
		}
	})
}
