package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"

	"gopkg.in/yaml.v3"
)

// JSON is a List of the objects, for kubectl.
func JSON(objects ...Object) ([]byte, error) {
	return json.Marshal(struct {
		APIVersion string   `json:"apiVersion"`
		Kind       string   `json:"kind"`
		Items      []Object `json:"items"`
	}{"v1", "List", objects})
}

// YAML is one document an object, in the order of the fields here.
func YAML(objects ...Object) ([]byte, error) {
	var out bytes.Buffer
	for _, o := range objects {
		text, err := json.Marshal(o)
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", o.Name(), err)
		}
		var node yaml.Node // JSON is YAML, and a node keeps the order
		if err := yaml.Unmarshal(text, &node); err != nil {
			return nil, fmt.Errorf("write %s: %w", o.Name(), err)
		}
		block(&node)
		out.WriteString("---\n")
		e := yaml.NewEncoder(&out)
		e.SetIndent(2)
		if err := e.Encode(&node); err != nil {
			return nil, fmt.Errorf("write %s: %w", o.Name(), err)
		}
	}
	return out.Bytes(), nil
}

// block turns the style of JSON into that of people: quotes only where a text would
// otherwise be read as something else.
func block(n *yaml.Node) {
	n.Style = 0
	if n.Kind != yaml.ScalarNode && len(n.Content) == 0 {
		n.Style = yaml.FlowStyle // [] and {}
	}
	for _, child := range n.Content {
		block(child)
	}
}
