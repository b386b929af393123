// Reach of a campaign: how many users are in any of its segments, which are roaring
// bitmaps of 2,000,000 users.
package main

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"wild/service"
)

const (
	users    = 2_000_000
	segments = 200
	chosen   = 40 // segments of a campaign
)

// pairwise makes the union step by step.
func pairwise(all []*roaring.Bitmap) *roaring.Bitmap {
	out := roaring.New()
	for _, b := range all {
		out = roaring.Or(out, b)
	}
	return out
}

// atOnce makes it of all of them.
func atOnce(all []*roaring.Bitmap) *roaring.Bitmap { return roaring.FastOr(all...) }

func main() {
	rnd := rand.New(rand.NewPCG(1, 2))
	var all [segments]*roaring.Bitmap
	for i := range all {
		all[i] = roaring.New()
		for range 4000 + 200*i {
			all[i].Add(rnd.Uint32N(users))
		}
	}
	union := pairwise
	if service.After() {
		union = atOnce
	}
	var seq atomic.Int64
	http.HandleFunc("/reach", func(w http.ResponseWriter, r *http.Request) {
		n := int(seq.Add(1))
		campaign := make([]*roaring.Bitmap, chosen)
		for i := range campaign {
			campaign[i] = all[(n+i*7)%segments]
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]uint64{"users": union(campaign).GetCardinality()})
	})
	service.Run(http.DefaultServeMux)
}
