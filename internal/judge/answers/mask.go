package answers

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// mask says what of a value differs of its own accord; nil: nothing, it must be equal.
type mask struct {
	any       bool // of this value; its kind has to be one of those seen
	kinds     map[string]bool
	unordered bool             // an array with the same elements in any order
	fields    map[string]*mask // of an object
	items     map[int]*mask    // of an array
}

func keys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// learn adds to a mask what differs between two values that may.
func learn(m *mask, a, b any) *mask {
	if canonical(a) == canonical(b) {
		return m
	}
	if m == nil {
		m = &mask{}
	}
	objects, ok := pairOf[map[string]any](a, b)
	if ok && slices.Equal(keys(objects[0]), keys(objects[1])) {
		if m.fields == nil {
			m.fields = map[string]*mask{}
		}
		for key, value := range objects[0] {
			if inner := learn(m.fields[key], value, objects[1][key]); inner != nil {
				m.fields[key] = inner
			}
		}
		return m
	}
	arrays, ok := pairOf[[]any](a, b)
	if ok && len(arrays[0]) == len(arrays[1]) {
		if sameElements(arrays[0], arrays[1]) {
			m.unordered = true
			return m
		}
		if m.items == nil {
			m.items = map[int]*mask{}
		}
		for i, value := range arrays[0] {
			if inner := learn(m.items[i], value, arrays[1][i]); inner != nil {
				m.items[i] = inner
			}
		}
		return m
	}
	m.any = true
	if m.kinds == nil {
		m.kinds = map[string]bool{}
	}
	m.kinds[kindOf(a)], m.kinds[kindOf(b)] = true, true
	return m
}

func pairOf[T any](a, b any) (pair [2]T, ok bool) {
	first, ok1 := a.(T)
	second, ok2 := b.(T)
	return [2]T{first, second}, ok1 && ok2
}

func sameElements(a, b []any) bool {
	text := func(all []any) []string {
		out := make([]string, len(all))
		for i, v := range all {
			out[i] = canonical(v)
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(text(a), text(b))
}

// kindOf is what a value that varies keeps: of a string how it is built, of an array or object that there is something
// in it.
func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "bool"
	case json.Number:
		return "number"
	case string:
		return "string " + builtLike(v)
	case []any:
		return fmt.Sprintf("array empty=%v", len(v) == 0)
	case map[string]any:
		return fmt.Sprintf("object %s", strings.Join(keys(v), ","))
	default:
		return "other"
	}
}

// builtLike shows a string with each run of letters and digits as one: 2026-11-24T19:45Z is w-w-w:w.
func builtLike(s string) string {
	var b strings.Builder
	inside := false
	for _, r := range s {
		is := unicode.IsLetter(r) || unicode.IsDigit(r)
		if !is {
			b.WriteRune(r)
		} else if !inside {
			b.WriteByte('w')
		}
		inside = is
	}
	return b.String()
}

// fits reports whether a value that varies is of a kind that was seen, or of a type that was seen in several: base64 is
// built differently each time.
func (m *mask) fits(kind string) bool {
	if m.kinds[kind] {
		return true
	}
	of, _, _ := strings.Cut(kind, " ")
	seen := 0
	for known := range m.kinds {
		if other, _, _ := strings.Cut(known, " "); other == of {
			seen++
		}
	}
	return seen > 1
}

// difference is the first place at which after is not what before was and may not differ; empty: none.
func (m *mask) difference(at string, before, after any) string {
	if m != nil && m.any {
		if m.fits(kindOf(after)) {
			return ""
		}
		return told(at, before, after)
	}
	if canonical(before) == canonical(after) {
		return ""
	}
	objects, ok := pairOf[map[string]any](before, after)
	if ok {
		return m.inObject(at, objects)
	}
	arrays, ok := pairOf[[]any](before, after)
	switch {
	case !ok:
		return told(at, before, after)
	case m != nil && m.unordered && sameElements(arrays[0], arrays[1]):
		return ""
	case len(arrays[0]) != len(arrays[1]):
		return fmt.Sprintf("%s: before %d elements, after %d: %s", at, len(arrays[0]), len(arrays[1]), told("they are", before, after))
	}
	for i, value := range arrays[0] {
		if d := m.item(i).difference(fmt.Sprintf("%s[%d]", at, i), value, arrays[1][i]); d != "" {
			return d
		}
	}
	return ""
}

func (m *mask) inObject(at string, objects [2]map[string]any) string {
	for _, key := range keys(objects[0]) {
		after, ok := objects[1][key]
		place := at + "." + key
		if !ok {
			return fmt.Sprintf("%s: before %s, after it is missing", place, short(objects[0][key]))
		}
		if d := m.field(key).difference(place, objects[0][key], after); d != "" {
			return d
		}
	}
	for _, key := range keys(objects[1]) {
		if _, ok := objects[0][key]; !ok {
			return fmt.Sprintf("%s.%s: before it is missing, after %s", at, key, short(objects[1][key]))
		}
	}
	return ""
}

func (m *mask) field(key string) *mask {
	if m == nil {
		return nil
	}
	return m.fields[key]
}

func (m *mask) item(i int) *mask {
	if m == nil {
		return nil
	}
	return m.items[i]
}

// places lists what is masked, each with the way to it.
func (m *mask) places(at string, value any, tell func(place string, m *mask, value any)) {
	switch {
	case m == nil:
		return
	case m.any || m.unordered:
		tell(at, m, value)
	}
	if object, ok := value.(map[string]any); ok {
		for _, key := range slices.Sorted(maps.Keys(m.fields)) {
			m.fields[key].places(at+"."+key, object[key], tell)
		}
	}
	if array, ok := value.([]any); ok {
		for _, i := range slices.Sorted(maps.Keys(m.items)) {
			if i < len(array) {
				m.items[i].places(fmt.Sprintf("%s[%d]", at, i), array[i], tell)
			}
		}
	}
}

func told(at string, before, after any) string {
	return fmt.Sprintf("%s: before %s, after %s", at, short(before), short(after))
}

// short is a value as it is quoted.
func short(v any) string {
	text := canonical(v)
	if words, ok := v.([]any); ok {
		text = flat(words)
	}
	return clipped(text)
}

func clipped(text string) string {
	if r := []rune(text); len(r) > mostQuoted {
		return string(r[:mostQuoted]) + "…"
	}
	return text
}

// flat is the text that a list of words was, or JSON.
func flat(words []any) string {
	var b strings.Builder
	for _, w := range words {
		s, ok := w.(string)
		if !ok {
			return canonical(words)
		}
		b.WriteString(s)
	}
	return fmt.Sprintf("%q", b.String())
}
