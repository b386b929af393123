package requests

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
)

// digest stands for all of a request but its weight. A cryptographic one lets
// equal digests mean equal requests, without a second copy of the list.
type digest [sha256.Size]byte

// body is the body of a request with its digest: a file that a million lines
// name is hashed once.
type body struct {
	data []byte
	sum  digest
}

func newBody(data []byte) body { return body{data: data, sum: sha256.Sum256(data)} }

// digestOf hashes every part behind its length, so that no two requests run
// together into the same bytes.
func digestOf(r unpark.Request, b body) digest {
	h := sha256.New()
	part(h, r.Method)
	part(h, r.URL)
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		part(h, name)
		count(h, len(r.Header[name]))
		for _, value := range r.Header[name] {
			part(h, value)
		}
	}
	count(h, len(b.data))
	h.Write(b.sum[:])
	return digest(h.Sum(nil))
}

func part(h hash.Hash, s string) {
	count(h, len(s))
	_, _ = io.WriteString(h, s) // a hash never fails
}

func count(h hash.Hash, n int) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	h.Write(b[:])
}
