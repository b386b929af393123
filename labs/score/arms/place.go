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
	beside  *service
	log     bytes.Buffer // of what is beside
}

func (p *place) base() string { return "http://" + p.addr }

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
	var err error
	p.beside, err = b.start(ctx, lab, arm.Located(p.base(), p.aside).Beside, &p.log)
	if err != nil || !arm.ServesBeside() {
		return err
	}
	return p.beside.answers(ctx, p.aside)
}

// leave ends what was started; an error is told with what that said.
func (p *place) leave(err *error) {
	p.beside.stop()
	os.RemoveAll(p.scratch)
	if *err != nil && p.log.Len() > 0 {
		*err = fmt.Errorf("%w\n%s", *err, tail(p.log.String()))
	}
}
