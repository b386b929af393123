package external

import (
	"bytes"
	"encoding/json"
	"iter"
)

// maxWrong bounds how many braces that begin no JSON object are tried. Each can cost
// a look at all that follows it.
const maxWrong = 64

// objects yields the JSON objects in a tool's output, in order. Other text may stand
// around them: progress, warnings, what a wrapper script printed.
func objects(out []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		wrong := 0
		for at := 0; at < len(out) && wrong < maxWrong; {
			i := bytes.IndexByte(out[at:], '{')
			if i < 0 {
				return
			}
			at += i
			if !opens(out[at:]) {
				at++
				continue
			}
			decoder := json.NewDecoder(bytes.NewReader(out[at:]))
			var object json.RawMessage
			if decoder.Decode(&object) != nil {
				wrong++
				at++
				continue
			}
			at += int(decoder.InputOffset())
			if !yield(object) {
				return
			}
		}
	}
}

// opens reports whether a brace is followed by a key, so that braces in text cost
// nothing.
func opens(b []byte) bool {
	b = bytes.TrimLeft(b[1:], " \t\r\n")
	return len(b) > 0 && b[0] == '"'
}
