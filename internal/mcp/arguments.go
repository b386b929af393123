package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/nearest"
)

// argument is one of a tool's, as its input declares it.
type argument struct {
	name     string
	what     string // for a reader
	required bool
	of       reflect.Type
}

// argumentsOf are those of an input, in the order of its fields.
func argumentsOf(input reflect.Type) []argument {
	var out []argument
	for _, f := range reflect.VisibleFields(input) {
		if f.Anonymous {
			continue
		}
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		out = append(out, argument{name: name, what: f.Tag.Get("jsonschema"), required: rest != "omitempty", of: f.Type})
	}
	return out
}

// kind is what an argument has to be.
func (a argument) kind() string {
	switch a.of.Kind() {
	case reflect.Int:
		return "a whole number"
	case reflect.Slice:
		return "a list of strings"
	default:
		return "a string"
	}
}

// checked has calls whose arguments are not those of the tool answered with what is wrong and what would be right. The schema that
// the client has says no more than that they do not fit it. An argument that is null is one that is left out: clients send it so.
func (s *Server) checked(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		call, ok := req.(*sdk.CallToolRequest)
		if !ok {
			return next(ctx, method, req)
		}
		known, ok := s.arguments[call.Params.Name]
		if !ok {
			return next(ctx, method, req)
		}
		given, err := arguments(call.Params.Arguments, known)
		if err != nil {
			var refused sdk.CallToolResult
			refused.SetError(errors.New(said("call %s: %v", call.Params.Name, err).page()))
			return &refused, nil
		}
		call.Params.Arguments = given
		return next(ctx, method, req)
	}
}

// arguments checks what a call is given and returns it without what is null; its error has a line for each that is wrong.
func arguments(text json.RawMessage, known []argument) (json.RawMessage, error) {
	given := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(text)) > 0 {
		if err := json.Unmarshal(text, &given); err != nil {
			return nil, fmt.Errorf("its arguments are an object, such as {%s}: %w", known[0].example(), err)
		}
	}
	maps.DeleteFunc(given, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
	names := make([]string, 0, len(known))
	for _, a := range known {
		names = append(names, a.name)
	}
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(names, name) {
			wrong = append(wrong, fmt.Errorf("there is no argument %q: name it as one of these, the nearest first, or leave it out: %s",
				escape.Line(short(name)), strings.Join(nearest.First(name, names), ", ")))
		}
	}
	for _, a := range known {
		value, ok := given[a.name]
		if !ok {
			if a.required {
				wrong = append(wrong, fmt.Errorf("%s is missing: name %s", a.name, a.what))
			}
			continue
		}
		if json.Unmarshal(value, reflect.New(a.of).Interface()) != nil {
			wrong = append(wrong, fmt.Errorf("%s is %s, and has to be %s, such as %s: %s", a.name, escape.Line(short(string(value))), a.kind(), a.example(), a.what))
		}
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return json.Marshal(given)
}

// example is an argument with a value that fits.
func (a argument) example() string {
	value := map[reflect.Kind]string{reflect.Int: "1", reflect.Slice: `["…"]`}[a.of.Kind()]
	if value == "" {
		value = `"…"`
	}
	return fmt.Sprintf("%q: %s", a.name, value)
}

// short is the beginning of a value that a client sent.
func short(value string) string {
	if len(value) <= quotedBytes {
		return value
	}
	return value[:quotedBytes] + "…"
}
