package load

import (
	"bytes"
	"testing"
)

// TestFrames cuts a connection's bytes everywhere: what is found does not depend
// on how they come.
func TestFrames(t *testing.T) {
	var all bytes.Buffer
	frame := func(kind, flags byte, stream byte, payload int) {
		all.Write([]byte{0, byte(payload >> 8), byte(payload), kind, flags, 0, 0, 0, stream})
		all.Write(bytes.Repeat([]byte{1}, payload))
	}
	const settings, data, ping, endHeaders = 4, 0, 6, 4
	frame(settings, 0, 0, 0)
	frame(typeHeaders, endHeaders, 1, 3)
	frame(data, 0, 1, 300)
	frame(typeHeaders, endHeaders|endStream, 1, 2)
	frame(data, endStream, 3, 1)
	frame(typeHeaders, endHeaders, 3, 0)
	frame(ping, endStream, 0, 8)
	for _, tt := range []struct {
		flag byte
		want []uint32
	}{{endStream, []uint32{1}}, {0, []uint32{1, 1, 3}}} {
		for cut := range all.Len() + 1 {
			var f frames
			a, b := f.scan(all.Bytes()[:cut], tt.flag), f.scan(all.Bytes()[cut:], tt.flag)
			last := b
			if last == 0 {
				last = a
			}
			if last != tt.want[len(tt.want)-1] {
				t.Errorf("flag %x, cut at %d: %d, then %d", tt.flag, cut, a, b)
			}
		}
		var f frames
		var got []uint32
		for _, b := range all.Bytes() {
			if stream := f.scan([]byte{b}, tt.flag); stream > 0 {
				got = append(got, stream)
			}
		}
		if len(got) != len(tt.want) || got[0] != tt.want[0] {
			t.Errorf("flag %x, byte by byte: %v, want %v", tt.flag, got, tt.want)
		}
	}
}

func FuzzFrames(f *testing.F) {
	f.Add([]byte("\x00\x00\x03\x01\x05\x00\x00\x00\x01abc"), 4)
	f.Fuzz(func(t *testing.T, b []byte, cut int) {
		cut = max(0, min(cut, len(b)))
		var whole, parts frames
		want := whole.scan(b, endStream)
		got := parts.scan(b[:cut], endStream)
		if rest := parts.scan(b[cut:], endStream); rest > 0 {
			got = rest
		}
		if got != want && got != 0 && want != 0 || parts.skip != whole.skip || parts.have != whole.have {
			t.Errorf("cut at %d: %d, whole %d", cut, got, want)
		}
	})
}

// FuzzMessages: what is accepted as the messages of a body is the body.
func FuzzMessages(f *testing.F) {
	f.Add(framed("a", "", "bc"))
	f.Add([]byte{0, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, body []byte) {
		messages, err := splitMessages(body)
		if err != nil {
			return
		}
		var all []string
		for _, m := range messages {
			all = append(all, string(m.Materialize()))
		}
		if again := framed(all...); !bytes.Equal(again, body) {
			t.Errorf("%x became %x", body, again)
		}
	})
}
