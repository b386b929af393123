package requests

import (
	"encoding/json"
	"fmt"
)

// carried is a template on its way to another machine.
type carried struct {
	Literal []byte   `json:"literal,omitempty"`
	Fill    filling  `json:"fill,omitempty"`
	Salt    uint64   `json:"salt,omitempty"`
	Text    []byte   `json:"text,omitempty"`
	Ends    []uint32 `json:"ends,omitempty"`
	Order   order    `json:"order,omitempty"`
}

// MarshalJSON writes the template with its values.
func (t *Template) MarshalJSON() ([]byte, error) {
	out := make([]carried, 0, len(t.segments))
	for _, s := range t.segments {
		out = append(out, carried{s.literal, s.fill, s.salt, s.lines.text, s.lines.ends, s.lines.order})
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote, and refuses what Append could not render.
func (t *Template) UnmarshalJSON(text []byte) error {
	var in []carried
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	t.segments = nil
	for i, c := range in {
		s := segment{literal: c.Literal, fill: c.Fill, salt: c.Salt, lines: lines{text: c.Text, ends: c.Ends, order: c.Order}}
		if s.fill < fillNothing || s.fill > fillLine || s.fill == fillLine && len(c.Ends) == 0 {
			return fmt.Errorf("template: segment %d is of no known kind, or has no values", i+1)
		}
		before := uint32(0)
		for _, end := range c.Ends {
			if end < before || int(end) > len(c.Text) {
				return fmt.Errorf("template: segment %d: its values do not fit its text", i+1)
			}
			before = end
		}
		t.segments = append(t.segments, s)
	}
	return nil
}
