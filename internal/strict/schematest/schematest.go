// Package schematest holds what reads a YAML file against the JSON schema that is
// published for it: begin with [Compile], then [Schema.Agree].
package schematest

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// Schema is a schema, and what reads the files that it describes.
type Schema struct {
	compiled *jsonschema.Schema
	read     func(text []byte) error
}

// Compile loads a schema; read is held against it.
func Compile(t *testing.T, file string, read func(text []byte) error) Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	compiled, err := c.Compile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	return Schema{compiled, read}
}

// Agree fails the test unless both accept the text, or both refuse it, as is wanted.
func (s Schema) Agree(t *testing.T, text string, want bool) {
	t.Helper()
	accepted := s.accepts(t, text)
	if err := s.read([]byte(text)); (err == nil) != want || accepted != want {
		t.Errorf("%s: read %v, the schema accepts it: %v, want %v", text, err, accepted, want)
	}
}

// accepts reports whether a text is YAML that the schema allows.
func (s Schema) accepts(t *testing.T, text string) bool {
	t.Helper()
	var v, document any
	if yaml.Unmarshal([]byte(text), &v) != nil {
		return false
	}
	// JSON knows fewer types than YAML: what has none there is not for a schema.
	plain, err := json.Marshal(v)
	if err != nil {
		return false
	}
	if err := json.Unmarshal(plain, &document); err != nil {
		t.Fatal(err)
	}
	return s.compiled.Validate(document) == nil
}
