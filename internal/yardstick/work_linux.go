package yardstick

// The size of a piece: about 35 µs for each of the three parts, 0.1 ms together, after
// a pause of 25 ms (AMD EPYC, 2 virtual cores); half of that on warm caches.
const (
	tableWords = 1 << 15 // 256 kB
	steps      = 2000    // in the table
	keys       = 4096    // in the map
	lookups    = 190
	messages   = 9
)

// work is one piece, to be done again and again. It allocates nothing once it is
// made.
type work struct {
	table []uint64
	known map[uint64]uint64
	key   uint64
	wire  *wire
	sum   uint64 // keeps results in use
}

func newWork() (*work, error) {
	w := &work{table: make([]uint64, tableWords), known: make(map[uint64]uint64, keys)}
	for i := range uint64(keys) {
		w.known[spread(i)] = i
	}
	var err error
	if w.wire, err = newWire(); err != nil {
		return nil, err
	}
	w.piece() // pages of the table are there from now on
	return w, nil
}

// spread makes neighbouring keys different in all their bits (Fibonacci hashing).
func spread(i uint64) uint64 { return i * 0x9e3779b97f4a7c15 }

// piece does the work once: the same steps, look-ups and messages each time.
func (w *work) piece() {
	x := uint64(88172645463325252)
	for range steps { // xorshift (Marsaglia, "Xorshift RNGs", 2003)
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		w.table[x%tableWords] += x
	}
	for range lookups {
		// Each key comes from the last value, so that the loads wait for each other.
		w.key = (w.known[spread(w.key)] + 1237) % keys
	}
	w.sum += x + w.key
	w.wire.pass(messages)
}
