package h2

import (
	"encoding/binary"

	"golang.org/x/net/http2"
)

// settings takes what the server asks for, and acknowledges it (§6.5).
func (c *Conn) settings(payload []byte) error {
	f := &c.in.frame
	if f.stream != 0 || f.flags.Has(http2.FlagSettingsAck) && len(payload) > 0 || len(payload)%6 != 0 {
		return malformed("SETTINGS on stream %d with %d bytes", f.stream, len(payload))
	}
	if f.flags.Has(http2.FlagSettingsAck) {
		return nil
	}
	c.in.greeted = true
	for ; len(payload) > 0; payload = payload[6:] {
		s := http2.Setting{ID: http2.SettingID(binary.BigEndian.Uint16(payload)), Val: binary.BigEndian.Uint32(payload[2:])}
		if err := s.Valid(); err != nil {
			return malformed("SETTINGS with %v", s)
		}
		if err := c.out.obey(s); err != nil {
			return err
		}
	}
	c.out.acknowledge(http2.FrameSettings, nil)
	return nil
}

func (c *Conn) ping(payload []byte) error {
	f := &c.in.frame
	if len(payload) != 8 || f.stream != 0 {
		return malformed("PING on stream %d with %d bytes", f.stream, len(payload))
	}
	if !f.flags.Has(http2.FlagPingAck) {
		c.out.acknowledge(http2.FramePing, payload)
	}
	return nil
}

// update takes room that the server gives (§6.9).
func (c *Conn) update(payload []byte) error {
	if len(payload) != 4 {
		return malformed("WINDOW_UPDATE of %d bytes", len(payload))
	}
	n := int64(binary.BigEndian.Uint32(payload) & maxWindow)
	on, room := c.in.frame.stream, &c.out.room
	switch {
	case n == 0:
		return malformed("WINDOW_UPDATE by nothing")
	case c.stream.current(on):
		room = &c.out.streamRoom
	case on != 0:
		if c.stream.idle(on) {
			return malformed("WINDOW_UPDATE on stream %d, where nothing was asked", on)
		}
		return nil // it has ended
	}
	if *room += n; *room > maxWindow {
		return malformed("WINDOW_UPDATE: a window of more than 2^31−1")
	}
	return nil
}

// reset ends the request in hand (§6.4). After a whole answer it says that the rest
// of the request is not wanted, and comes too late to matter.
func (c *Conn) reset(payload []byte) error {
	on := c.in.frame.stream
	if len(payload) != 4 || c.stream.idle(on) {
		return malformed("RST_STREAM on stream %d with %d bytes", on, len(payload))
	}
	if !c.stream.current(on) {
		return nil
	}
	code := http2.ErrCode(binary.BigEndian.Uint32(payload))
	c.stream.answer.Unseen = code == http2.ErrCodeRefusedStream
	return &StreamError{Code: code}
}

// goAway ends the connection for all but the streams that the server has begun
// (§6.8). Not one later than the last it names was looked at.
func (c *Conn) goAway(payload []byte) error {
	if len(payload) < 8 || c.in.frame.stream != 0 {
		return malformed("GOAWAY on stream %d with %d bytes", c.in.frame.stream, len(payload))
	}
	c.leaving = true
	last, code := binary.BigEndian.Uint32(payload)&maxWindow, http2.ErrCode(binary.BigEndian.Uint32(payload[4:]))
	e := &GoAwayError{Code: code}
	if said := payload[8:]; len(said) > 0 {
		e.Debug = excerpt(said)
	}
	if c.stream.answer.Unseen = c.stream.asked && c.stream.number > last; c.stream.answer.Unseen {
		return e
	}
	if code != http2.ErrCodeNo {
		c.farewell = e
	}
	return nil // the answer comes, or the end does
}
