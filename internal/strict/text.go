package strict

import (
	"fmt"

	"gopkg.in/yaml.v3"
)

// Text is a value and where it stands. Line 0: it is not in the file.
type Text struct {
	Value        string
	Line, Column int // from 1
}

// At returns the text of a node, as it is written.
func At(n *yaml.Node) Text { return Text{Value: n.Value, Line: n.Line, Column: n.Column} }

// Given reports whether the file has the value.
func (t Text) Given() bool { return t.Line > 0 }

// Errorf returns an error that begins with the place of a value: file, line, column.
func (t Text) Errorf(file, format string, a ...any) error {
	return fmt.Errorf("%s:%d:%d: %w", file, max(t.Line, 1), max(t.Column, 1), fmt.Errorf(format, a...))
}
