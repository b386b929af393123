package h2

import (
	"encoding/binary"

	"golang.org/x/net/http2"
)

// settings takes what the server asks for, and acknowledges it (§6.5).
func (c *Conn) settings(payload []byte) error {
	f := &c.frame
	if f.stream != 0 || f.flags.Has(http2.FlagSettingsAck) && len(payload) > 0 || len(payload)%6 != 0 {
		return malformed("SETTINGS on stream %d with %d bytes", f.stream, len(payload))
	}
	if f.flags.Has(http2.FlagSettingsAck) {
		return nil
	}
	c.greeted = true
	for ; len(payload) > 0; payload = payload[6:] {
		s := http2.Setting{ID: http2.SettingID(binary.BigEndian.Uint16(payload)), Val: binary.BigEndian.Uint32(payload[2:])}
		if err := s.Valid(); err != nil {
			return malformed("SETTINGS with %v", s)
		}
		switch s.ID {
		case http2.SettingHeaderTableSize:
			c.encoder.SetMaxDynamicTableSize(min(s.Val, tableSize))
		case http2.SettingInitialWindowSize:
			c.stream.room += int64(s.Val) - c.window // may be negative (§6.9.2)
			if c.window = int64(s.Val); c.stream.room > maxWindow {
				return malformed("SETTINGS with %v: a window of more than 2^31−1", s)
			}
		case http2.SettingMaxFrameSize:
			c.largest = int(s.Val)
		}
	}
	c.out = appendHead(c.out, 0, http2.FrameSettings, http2.FlagSettingsAck, 0)
	return nil
}

func (c *Conn) ping(payload []byte) error {
	if len(payload) != 8 || c.frame.stream != 0 {
		return malformed("PING on stream %d with %d bytes", c.frame.stream, len(payload))
	}
	if !c.frame.flags.Has(http2.FlagPingAck) {
		c.out = appendHead(c.out, len(payload), http2.FramePing, http2.FlagPingAck, 0)
		c.out = append(c.out, payload...)
	}
	return nil
}

// update takes room that the server gives (§6.9).
func (c *Conn) update(payload []byte) error {
	if len(payload) != 4 {
		return malformed("WINDOW_UPDATE of %d bytes", len(payload))
	}
	n := int64(binary.BigEndian.Uint32(payload) & maxWindow)
	room := &c.room
	switch {
	case n == 0:
		return malformed("WINDOW_UPDATE by nothing")
	case c.current():
		room = &c.stream.room
	case c.frame.stream != 0:
		if c.idle() {
			return malformed("WINDOW_UPDATE on stream %d, where nothing was asked", c.frame.stream)
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
	if len(payload) != 4 || c.idle() {
		return malformed("RST_STREAM on stream %d with %d bytes", c.frame.stream, len(payload))
	}
	if !c.current() {
		return nil
	}
	code := http2.ErrCode(binary.BigEndian.Uint32(payload))
	c.unseen = code == http2.ErrCodeRefusedStream
	return &StreamError{Code: code}
}

// goAway ends the connection for all but the streams that the server has begun
// (§6.8). Not one later than the last it names was looked at.
func (c *Conn) goAway(payload []byte) error {
	if len(payload) < 8 || c.frame.stream != 0 {
		return malformed("GOAWAY on stream %d with %d bytes", c.frame.stream, len(payload))
	}
	c.leaving = true
	last, code := binary.BigEndian.Uint32(payload)&maxWindow, http2.ErrCode(binary.BigEndian.Uint32(payload[4:]))
	e := &GoAwayError{Code: code}
	if said := payload[8:]; len(said) > 0 {
		e.Debug = excerpt(said)
	}
	if c.unseen = c.asked && c.number > last; c.unseen {
		return e
	}
	if code != http2.ErrCodeNo {
		c.farewell = e
	}
	return nil // the answer comes, or the end does
}
