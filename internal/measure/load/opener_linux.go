package load

// maxDialing bounds the connections that one poller opens at a time: the backlog of a
// listener is finite (net.core.somaxconn), and a full one costs a second (the
// retransmission of a SYN).
const maxDialing = 64

// opener opens the connections of a poller, as many at a time as are allowed.
type opener struct {
	addrs   []address
	addr    int        // the one that answered last
	queue   socketRing // want to be dialled
	dialing int
}

// enqueue asks for a connection.
func (o *opener) enqueue(s *socket) {
	s.state = queued
	o.queue.push(s)
}

// ready reports whether the next socket may be dialled.
func (o *opener) ready() bool { return o.queue.len > 0 && o.dialing < maxDialing }

// dial begins to open the connection of the next socket.
func (o *opener) dial() (*socket, error) {
	s := o.queue.pop()
	s.state = dialing
	o.dialing++
	return s, s.connect(&o.addrs[s.addr])
}

// finish goes on after a handshake.
func (o *opener) finish(s *socket) error {
	err := s.established()
	if err == nil {
		o.dialing--
		o.addr = s.addr
	}
	return err
}

// another queues a socket again for the next address of the host (localhost has one for
// each family); false when all have refused.
func (o *opener) another(s *socket) bool {
	if s.tries++; s.tries >= len(o.addrs) {
		return false
	}
	s.addr = (s.addr + 1) % len(o.addrs)
	o.dialing--
	s.drop()
	o.enqueue(s)
	return true
}
