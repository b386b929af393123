package exchange

import "google.golang.org/protobuf/encoding/protowire"

// deepJSON reports whether brackets nest deeper than is read.
func deepJSON(data []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > deepest {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// deepProto reports whether what could be messages nest deeper than is read. Bytes that are none end early.
func deepProto(data []byte, depth int) bool {
	if depth > deepest {
		return true
	}
	for len(data) > 0 {
		_, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			return false
		}
		data = data[n:]
		if kind == protowire.BytesType {
			inner, n := protowire.ConsumeBytes(data)
			if n < 0 {
				return false
			}
			if deepProto(inner, depth+1) {
				return true
			}
			data = data[n:]
			continue
		}
		if n = protowire.ConsumeFieldValue(1, kind, data); n < 0 {
			return false
		}
		data = data[n:]
	}
	return false
}
