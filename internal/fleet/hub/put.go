package hub

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	chunk  = 128 << 10 // bytes of an object in a message, as nats.go has it
	window = 8         // chunks of an object that the server has not confirmed
	// tooMany is the code of an answer to what goes beyond maxBuffer (nats-server, JSStreamTooManyRequests).
	tooMany  = 10167
	lastWait = 2 * time.Second
)

// Put stores an object in the form of jetstream's ObjectStore (nats-architecture-and-design, ADR 20), which reads it.
// Its own Put sends all of a file at once, and the server refuses what comes while it is too far behind its disk: with
// sixteen agents that was most of them. This one has few chunks under way, and begins anew when it is refused
// nonetheless; open is called for each beginning.
func Put(ctx context.Context, nc *nats.Conn, name string, open func() io.ReadCloser) error {
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, lastWait) {
		p := putting{js: js, id: rand.Text()}
		r := open()
		err := errors.Join(p.all(ctx, name, r), r.Close())
		var refused *jetstream.APIError
		if errors.Is(err, jetstream.ErrNoStreamResponse) {
			return fmt.Errorf("the NATS server has no store for it now: %w: of a cluster, the server that had it may be away", err)
		}
		if err == nil || !errors.As(err, &refused) || refused.ErrorCode != tooMany {
			return err
		}
		p.forget(ctx)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", ctx.Err(), err)
		}
	}
}

// putting is an object on its way.
type putting struct {
	js      jetstream.JetStream
	id      string
	waiting []jetstream.PubAckFuture
}

func (p *putting) chunks() string { return "$O." + Artifacts + ".C." + p.id }

func (p *putting) all(ctx context.Context, name string, r io.Reader) error {
	info := jetstream.ObjectInfo{ObjectMeta: jetstream.ObjectMeta{Name: name, Opts: &jetstream.ObjectMetaOptions{ChunkSize: chunk}}, Bucket: Artifacts, NUID: p.id}
	digest, buf := sha256.New(), make([]byte, chunk)
	for {
		n, err := io.ReadFull(r, buf)
		if n > 0 {
			_, _ = digest.Write(buf[:n])
			info.Chunks, info.Size = info.Chunks+1, info.Size+uint64(n)
			m := nats.NewMsg(p.chunks())
			m.Data = buf[:n] // which is copied into the connection's buffer
			if err := p.send(ctx, m); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if err := p.confirmed(ctx, 0); err != nil {
		return err
	}
	info.Digest = jetstream.GetObjectDigestValue(digest)
	text, err := json.Marshal(info)
	if err != nil {
		return err
	}
	m := nats.NewMsg("$O." + Artifacts + ".M." + base64.URLEncoding.EncodeToString([]byte(name)))
	m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	m.Data = text
	if err := p.send(ctx, m); err != nil {
		return err
	}
	return p.confirmed(ctx, 0)
}

func (p *putting) send(ctx context.Context, m *nats.Msg) error {
	if err := p.confirmed(ctx, window-1); err != nil {
		return err
	}
	f, err := p.js.PublishMsgAsync(m)
	if err != nil {
		return err
	}
	p.waiting = append(p.waiting, f)
	return nil
}

// confirmed waits until so many are left of which the server has not said that it has them.
func (p *putting) confirmed(ctx context.Context, left int) error {
	for len(p.waiting) > left {
		select {
		case <-p.waiting[0].Ok():
			p.waiting = p.waiting[1:]
		case err := <-p.waiting[0].Err():
			p.waiting = p.waiting[1:] // it says so once
			return err
		case <-ctx.Done():
			return fmt.Errorf("the server has not confirmed it: %w", ctx.Err())
		}
	}
	return nil
}

// forget removes the chunks of an object that did not come to its end; what stays goes by the bucket's age.
func (p *putting) forget(ctx context.Context) {
	for _, f := range p.waiting {
		select {
		case <-f.Ok():
		case <-f.Err(): //nolint:errcheck // why it begins anew is known
		case <-ctx.Done():
			return
		}
	}
	if s, err := p.js.Stream(ctx, "OBJ_"+Artifacts); err == nil {
		_ = s.Purge(ctx, jetstream.WithPurgeSubject(p.chunks()))
	}
}
