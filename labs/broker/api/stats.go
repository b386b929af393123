package api

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/unpark-go/unpark/labs/broker/store"
)

// StatsReply is the answer of GET /stats. With ?seconds=N it is about the N seconds
// (at most 60) that follow, else about all since the start.
type StatsReply struct {
	Seconds float64 `json:"seconds"`
	store.Stats
	PerSecond   float64 `json:"cycles_per_second"`
	CommitsPer  float64 `json:"commits_per_operation"`
	SyncsPer    float64 `json:"syncs_per_operation"`
	MeanOfGroup float64 `json:"operations_per_commit"`
}

func (h *handler) stats(w http.ResponseWriter, r *http.Request) {
	from, before := h.started, store.Stats{}
	if text := r.URL.Query().Get("seconds"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 60 {
			fail(w, fmt.Errorf("%w: seconds=%q: give 1 to 60", ErrBadRequest, text))
			return
		}
		from, before = time.Now(), h.read()
		select {
		case <-time.After(time.Duration(n) * time.Second):
		case <-r.Context().Done():
			return
		}
	}
	reply(w, http.StatusOK, statsOf(h.read().Minus(before), time.Since(from).Seconds()))
}

// Since is about the time since an earlier answer of the node, both being about all
// since its start; about nothing when one of them is missing.
func (s StatsReply) Since(before StatsReply) StatsReply {
	seconds := s.Seconds - before.Seconds
	if before.Seconds == 0 || seconds <= 0 {
		return StatsReply{}
	}
	return statsOf(s.Minus(before.Stats), seconds)
}

func statsOf(s store.Stats, seconds float64) StatsReply {
	out := StatsReply{Seconds: seconds, Stats: s, PerSecond: float64(s.Cycles) / seconds}
	if s.Operations > 0 {
		out.CommitsPer = float64(s.Commits) / float64(s.Operations)
		out.SyncsPer = float64(s.Syncs) / float64(s.Operations)
	}
	if s.Commits > 0 {
		out.MeanOfGroup = float64(s.Operations) / float64(s.Commits)
	}
	return out
}
