package arms

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/unpark-go/unpark/labs/expect"
)

// place is where a service is to run, with what the arm has beside it.
type place struct {
	addr    string
	aside   string // the address of what is beside
	scratch string // folder that goes away with it
	started []*service
	log     bytes.Buffer // of what is beside, and of what the service asks
}

func (p *place) base() string { return "http://" + p.addr }

// located is an arm with its addresses there, and those of the services that it asks.
func (p *place) located(arm expect.Arm, also map[string]string) expect.Arm {
	return arm.Located(p.base(), p.aside, also)
}

// place finds room for an arm and starts what it has beside it.
func (b *Bench) place(ctx context.Context, lab expect.Lab, arm expect.Arm) (_ *place, err error) {
	p := &place{}
	if p.addr, err = freeAddr(); err != nil {
		return nil, err
	}
	if p.aside, err = freeAddr(); err != nil {
		return nil, err
	}
	if p.scratch, err = os.MkdirTemp("", "labs-"); err != nil {
		return nil, fmt.Errorf("make a temporary folder: %w", err)
	}
	if err = b.accompany(ctx, p, lab, arm); err != nil {
		p.leave(&err)
		return nil, err
	}
	return p, nil
}

// accompany starts what an arm has beside it, and waits for it to listen where the
// service will ask it.
func (b *Bench) accompany(ctx context.Context, p *place, lab expect.Lab, arm expect.Arm) error {
	if len(arm.Beside) == 0 {
		return nil
	}
	s, err := b.start(ctx, lab, p.located(arm, nil).Beside, &p.log)
	if err != nil {
		return err
	}
	p.started = append(p.started, s)
	if !arm.ServesBeside() {
		return nil
	}
	return s.answers(ctx, p.aside)
}

// rooms finds room for the services that an arm's own asks.
func rooms(also expect.Also) (map[string]string, error) {
	out := map[string]string{}
	for _, name := range also.Names() {
		addr, err := freeAddr()
		if err != nil {
			return nil, err
		}
		out[name] = addr
	}
	return out, nil
}

// startAlso starts the services that an arm's own asks, without a probe, and returns them by name. The arm is located.
func (b *Bench) startAlso(ctx context.Context, p *place, lab expect.Lab, arm expect.Arm, at map[string]string) (map[string]*service, error) {
	out := map[string]*service{}
	for _, name := range arm.Also.Names() {
		s, err := b.start(ctx, lab, append([]string{"-addr", at[name]}, arm.Also[name]...), &p.log)
		if err != nil {
			return nil, err
		}
		p.started, out[name] = append(p.started, s), s
		if err := s.answers(ctx, at[name]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// leave ends what was started; an error is told with what that said.
func (p *place) leave(err *error) {
	for _, s := range p.started {
		s.stop()
	}
	os.RemoveAll(p.scratch)
	if *err != nil && p.log.Len() > 0 {
		*err = fmt.Errorf("%w\n%s", *err, tail(p.log.String()))
	}
}
