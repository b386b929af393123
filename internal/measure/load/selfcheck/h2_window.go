package selfcheck

import (
	"math"
	"time"

	"golang.org/x/net/http2"
)

// settings takes how much the client has room for.
func (c *h2Conn) settings(f *http2.SettingsFrame) error {
	if f.IsAck() {
		return nil
	}
	err := f.ForeachSetting(func(s http2.Setting) error {
		if err := s.Valid(); err != nil {
			return err
		}
		if s.ID == http2.SettingInitialWindowSize {
			c.initial = int64(s.Val)
		}
		return nil
	})
	if err != nil {
		return err
	}
	c.unblock()
	return c.framer.WriteSettingsAck()
}

// update takes how much more.
func (c *h2Conn) update(f *http2.WindowUpdateFrame) error {
	if f.StreamID == 0 {
		if c.window += int64(f.Increment); c.window > math.MaxInt32 {
			return http2.ConnectionError(http2.ErrCodeFlowControl)
		}
	} else if s := c.streams[f.StreamID]; s != nil {
		if s.extra += int64(f.Increment); c.initial+s.extra > math.MaxInt32 {
			return http2.StreamError{StreamID: s.id, Code: http2.ErrCodeFlowControl}
		}
	} else if f.StreamID > c.last {
		return http2.ConnectionError(http2.ErrCodeProtocol)
	}
	c.unblock()
	return nil
}

// reply sends the answer as soon as the client has room for it.
func (c *h2Conn) reply(s *h2Stream, came time.Duration) {
	c.book.leave(came)
	if !c.send(s) {
		c.blocked = append(c.blocked, s)
	}
}

func (c *h2Conn) send(s *h2Stream) bool {
	if n := s.answer.size; n > c.window || n > c.initial+s.extra {
		return false
	}
	c.window -= s.answer.size
	_, _ = c.out.Write(s.answer.appendTo(c.out.AvailableBuffer(), s.id, !c.begun)) // into memory
	c.begun = true
	delete(c.streams, s.id)
	return true
}

// unblock sends the answers for which there is room now.
func (c *h2Conn) unblock() {
	kept := c.blocked[:0]
	for _, s := range c.blocked {
		if c.streams[s.id] == s && !c.send(s) {
			kept = append(kept, s)
		}
	}
	clear(c.blocked[len(kept):])
	c.blocked = kept
}
