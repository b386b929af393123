package prove

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/unpark-go/unpark/internal/judge/answers"
)

// call makes a question of gRPC one that HTTP/2 sends (gRPC over HTTP2, Requests): the body has its messages already.
func (q *question) call() {
	rest, ok := strings.CutPrefix(q.url, "grpc")
	if !ok {
		return
	}
	q.rpc, q.url, q.method = true, "http"+rest, http.MethodPost
	header := http.Header{}
	for name, values := range q.header {
		header[name] = values
	}
	header.Set("Content-Type", "application/grpc")
	header.Set("Te", "trailers")
	q.header = header
}

// called is what a call was answered with, as a value: its status and its messages, whose fields are by number. So a field
// that varies of its own accord is known from the others, without the service's descriptors.
func called(response *http.Response, body []byte) answers.Answer {
	trailer := func(name string) string {
		if v := response.Trailer.Get(name); v != "" {
			return v
		}
		return response.Header.Get(name) // an answer of trailers alone
	}
	value := map[string]any{"grpc-status": trailer("Grpc-Status")}
	if text := trailer("Grpc-Message"); text != "" {
		value["grpc-message"] = text
	}
	messages, rest := []any{}, body
	for len(rest) >= 5 {
		n := int64(binary.BigEndian.Uint32(rest[1:]))
		if rest[0] != 0 || n > int64(len(rest)-5) {
			break
		}
		message, ok := fieldsOf(rest[5:5+n], 0)
		if !ok {
			message = map[string]any{"bytes": leaf(rest[5 : 5+n])}
		}
		messages, rest = append(messages, message), rest[5+n:]
	}
	value["messages"] = messages
	if len(rest) > 0 {
		value["rest"] = hex.EncodeToString(rest)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return answers.Answer{Failed: "its messages cannot be read"}
	}
	return answers.Answer{Status: response.StatusCode, Type: response.Header.Get("Content-Type"), Body: text}
}

// fieldsOf reads a message: field number to its values, in the order in which they are written.
func fieldsOf(b []byte, depth int) (map[string]any, bool) {
	out := map[string]any{}
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 || depth > deepest {
			return nil, false
		}
		b = b[n:]
		var value any
		switch kind {
		case protowire.VarintType:
			v, k := protowire.ConsumeVarint(b)
			value, n = v, k
		case protowire.Fixed32Type:
			v, k := protowire.ConsumeFixed32(b)
			value, n = v, k
		case protowire.Fixed64Type:
			v, k := protowire.ConsumeFixed64(b)
			value, n = v, k
		case protowire.BytesType:
			v, k := protowire.ConsumeBytes(b)
			value, n = part(v, depth), k
		case protowire.StartGroupType:
			v, k := protowire.ConsumeGroup(number, b)
			value, n = part(v, depth), k
		default:
			return nil, false
		}
		if n < 0 {
			return nil, false
		}
		b = b[n:]
		name := strconv.Itoa(int(number))
		all, _ := out[name].([]any)
		out[name] = append(all, value)
	}
	return out, true
}

// part is a text, a message within, or bytes: the wire does not tell them apart. A text has nothing that a tag is written
// with before anything else, which is a control character in all fields below 32 but some of numbers.
func part(b []byte, depth int) any {
	if utf8.Valid(b) && strings.IndexFunc(string(b), unicode.IsControl) < 0 {
		return string(b)
	}
	if inner, ok := fieldsOf(b, depth+1); ok {
		return inner
	}
	return leaf(b)
}

// leaf stands for bytes. Those that vary are built in no way that could be held to, so that they are a number.
func leaf(b []byte) any {
	const fnvOffset, fnvPrime = 14695981039346656037, 1099511628211
	sum := uint64(fnvOffset)
	for _, c := range b {
		sum = (sum ^ uint64(c)) * fnvPrime
	}
	return sum
}
