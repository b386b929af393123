package kubectl

import (
	"bytes"
	"context"
	"errors"
	"strings"
)

// Missing returns those of the rights that the user has not. What the cluster does not tell
// counts as held: the attempt will say.
func (c *Client) Missing(ctx context.Context, rights ...Right) ([]Right, error) {
	var out []Right
	for _, r := range rights {
		resource, sub, _ := strings.Cut(r.Resource, "/")
		if r.Group != "" {
			resource += "." + r.Group
		}
		args := []string{"auth", "can-i", r.Verb, resource}
		if sub != "" {
			args = append(args, "--subresource="+sub)
		}
		var answer bytes.Buffer
		err := c.Run(ctx, nil, &answer, args...)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var f *Failure
		// "no" is printed with exit status 1.
		if errors.As(err, &f) && strings.HasPrefix(strings.TrimSpace(answer.String()), "no") {
			r.Namespace = c.Namespace
			out = append(out, r)
		}
	}
	return out, nil
}
