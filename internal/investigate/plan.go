package investigate

import (
	"context"
	"net/url"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/load/external"
)

// prepare completes the load plan with the address that was found.
func (d *driver) prepare(ctx context.Context) error {
	plan := d.c.Plan
	switch plan.Mode {
	case unpark.NoLoad:
		return nil
	case unpark.External:
		return d.locate(ctx)
	}
	base := ""
	if len(plan.Requests) == 0 {
		var err error
		if base, err = d.service.address(ctx); err != nil {
			return err
		}
		plan.Requests = []unpark.Request{{Method: "GET", URL: base + "/" + strings.TrimPrefix(d.c.Path, "/")}}
	} else if socket, _, ok := unpark.SplitUnix(plan.Requests[0].URL); ok {
		base = unpark.Unix + socket + ":"
	} else if u, err := url.Parse(plan.Requests[0].URL); err == nil {
		base = u.Scheme + "://" + u.Host
	}
	if d.c.Prepare != nil {
		prepared, err := d.c.Prepare(ctx, base, plan)
		if err != nil {
			return err
		}
		plan = prepared
	}
	d.note(plan)
	d.rec.run.Target.URL = d.rec.run.Plan.Requests[0].URL
	if d.c.Agents != nil {
		return nil // each agent checks from where it is
	}
	return load.Check(ctx, plan)
}

// note notes the plan that is driven, and what may be shown of it.
func (d *driver) note(plan unpark.Plan) { d.plan, d.rec.run.Plan = plan, plan.Redacted() }

// locate finds where the target is, for the load command. Nothing is requested
// there: which requests the command sends is its own affair.
func (d *driver) locate(ctx context.Context) error {
	if q := d.c.Plan.Requests; len(q) > 0 {
		d.base, d.rec.run.Target.URL = q[0].URL, unpark.RedactURL(q[0].URL)
		return nil
	}
	if d.c.attached() {
		return nil
	}
	base, err := d.service.address(ctx)
	if err == nil {
		// Without a slash at the end: commands append a path.
		d.base, d.rec.run.Target.URL = base, base
		return nil
	}
	if ctx.Err() != nil || d.service.alive() != nil || external.NeedsURL(d.c.LoadCommand) {
		return err
	}
	d.rec.warn("load-url", "the load command was started without UNPARK_URL: "+err.Error(), "name the target's address with --url")
	return nil
}
