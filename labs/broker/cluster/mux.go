package cluster

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/hashicorp/raft"
)

// greeting is how long a connection may take to say which group it is for.
const greeting = 5 * time.Second

// mux shares one port between groups: a connection begins with its group's number,
// two bytes.
type mux struct {
	listener net.Listener
	groups   []*layer
	all      sync.WaitGroup
}

// newMux accepts for n groups until it is closed.
func newMux(l net.Listener, n int) *mux {
	m := &mux{listener: l}
	for i := range n {
		m.groups = append(m.groups, &layer{
			group: uint16(i), addr: l.Addr(), accepted: make(chan net.Conn), closed: make(chan struct{}),
		})
	}
	m.all.Add(1)
	go m.accept()
	return m
}

func (m *mux) accept() {
	defer m.all.Done()
	for {
		c, err := m.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(10 * time.Millisecond) // out of descriptors, mostly: others may give some back
			continue
		}
		m.all.Add(1)
		go m.greet(c)
	}
}

// greet hands a connection to its group.
func (m *mux) greet(c net.Conn) {
	defer m.all.Done()
	var head [2]byte
	_ = c.SetReadDeadline(time.Now().Add(greeting))
	if _, err := io.ReadFull(c, head[:]); err != nil {
		c.Close()
		return
	}
	_ = c.SetReadDeadline(time.Time{})
	n := int(binary.BigEndian.Uint16(head[:]))
	if n >= len(m.groups) {
		c.Close()
		return
	}
	select {
	case m.groups[n].accepted <- c:
	case <-m.groups[n].closed:
		c.Close()
	}
}

// close ends the mux, after its groups' transports.
func (m *mux) close() {
	m.listener.Close()
	for _, g := range m.groups {
		g.Close()
	}
	m.all.Wait()
}

// layer is one group's part of a mux.
type layer struct {
	group    uint16
	addr     net.Addr
	accepted chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

var _ raft.StreamLayer = (*layer)(nil)

// Accept implements net.Listener.
func (l *layer) Accept() (net.Conn, error) {
	select {
	case c := <-l.accepted:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (l *layer) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr implements net.Listener.
func (l *layer) Addr() net.Addr { return l.addr }

// Dial implements raft.StreamLayer.
func (l *layer) Dial(address raft.ServerAddress, timeout time.Duration) (net.Conn, error) {
	c, err := net.DialTimeout("tcp", string(address), timeout)
	if err != nil {
		return nil, err
	}
	if _, err := c.Write(binary.BigEndian.AppendUint16(nil, l.group)); err != nil {
		c.Close()
		return nil, fmt.Errorf("greet %s: %w", address, err)
	}
	return c, nil
}
