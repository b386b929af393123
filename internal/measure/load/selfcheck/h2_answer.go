package selfcheck

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

const (
	body        = "ok\n"
	frameHeader = 9 // bytes (RFC 9113 §4.1)
	noTable     = 0x20
)

// h2Answer is an answer as frames of stream 1, encoded without a table that
// changes, so that it is the same for every request of every connection.
type h2Answer struct {
	// The first header block of a connection says that there is no table (RFC 7541
	// §4.2), in case the client wants it smaller.
	first, later []byte
	size         int64 // of what flow control counts: the payload of DATA
}

// h2Answers are the answers that there are.
type h2Answers struct{ page, head, call h2Answer }

func newH2Answers() (all h2Answers, err error) {
	status := hpack.HeaderField{Name: ":status", Value: "200"}
	page := []hpack.HeaderField{status, {Name: "content-type", Value: "text/plain"}, {Name: "content-length", Value: fmt.Sprint(len(body))}}
	call := []hpack.HeaderField{status, {Name: "content-type", Value: "application/grpc"}}
	// A google.protobuf.StringValue, behind the prefix of a message.
	message := append([]byte{0, 0, 0, 0, byte(2 + len(body)), 1<<3 | 2, byte(len(body))}, body...)
	if all.page, err = newH2Answer(page, []byte(body), nil); err != nil {
		return all, err
	}
	if all.head, err = newH2Answer(page, nil, nil); err != nil {
		return all, err
	}
	all.call, err = newH2Answer(call, message, []hpack.HeaderField{{Name: "grpc-status", Value: "0"}})
	return all, err
}

func newH2Answer(fields []hpack.HeaderField, data []byte, trailers []hpack.HeaderField) (a h2Answer, err error) {
	a.size = int64(len(data))
	block, err := encodeFields(fields)
	if err != nil {
		return a, err
	}
	end, err := encodeFields(trailers)
	if err != nil {
		return a, err
	}
	for _, one := range []struct {
		to    *[]byte
		block []byte
	}{{&a.first, append([]byte{noTable}, block...)}, {&a.later, block}} {
		var b bytes.Buffer
		f := http2.NewFramer(&b, nil)
		err := f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: one.block, EndHeaders: true, EndStream: data == nil})
		if err == nil && data != nil {
			err = f.WriteData(1, trailers == nil, data)
		}
		if err == nil && trailers != nil {
			err = f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: end, EndHeaders: true, EndStream: true})
		}
		if err != nil {
			return a, err
		}
		*one.to = b.Bytes()
	}
	return a, nil
}

// encodeFields returns a header block that neither uses nor changes the table.
func encodeFields(fields []hpack.HeaderField) ([]byte, error) {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	e.SetMaxDynamicTableSize(0)
	for _, f := range fields {
		if err := e.WriteField(f); err != nil {
			return nil, err
		}
	}
	return bytes.TrimPrefix(b.Bytes(), []byte{noTable}), nil
}

// appendTo appends the answer as frames of a stream.
func (a *h2Answer) appendTo(out []byte, stream uint32, first bool) []byte {
	frames := a.later
	if first {
		frames = a.first
	}
	at := len(out)
	out = append(out, frames...)
	for at < len(out) {
		binary.BigEndian.PutUint32(out[at+5:], stream)
		at += frameHeader + (int(out[at])<<16 | int(out[at+1])<<8 | int(out[at+2]))
	}
	return out
}
