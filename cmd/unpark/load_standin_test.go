package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/clock"
	"github.com/unpark-go/unpark/internal/fleet/hub"
	"github.com/unpark-go/unpark/internal/fleet/wire"
)

// standIn answers the coordinator as an agent does, and sends nothing: what it hands in are the counts of a service that is known,
// so that no processor that the host takes away changes what is decided.
type standIn struct {
	name  string
	nc    *nats.Conn
	clock *clock.Clock
	// response is that of request k of the whole plan, at the plan's rate.
	response func(k int, rate float64) time.Duration
	void     string // what it says of its own part; empty: that is sound

	mu   sync.Mutex
	join wire.Join
	task *wire.Task
	at   int64 // when its load began
}

func standsIn(t *testing.T, s *standIn, join hub.Join, address string) {
	t.Helper()
	s.clock = clock.New(0)
	nc, err := join.DialAgent(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	s.nc = nc
	if _, err := nc.Subscribe("unpark.lease.*", s.beat); err != nil {
		t.Fatal(err)
	}
	for what, f := range map[string]func(text []byte) any{
		"clock": s.onClock, "plan": s.onPlan, "prepare": s.onNothing, "start": s.onStart, "more": s.onMore, "block": s.onBlock, "stop": s.onNothing,
	} {
		_, err := nc.Subscribe(wire.Subject(s.name, what), func(m *nats.Msg) {
			text, err := json.Marshal(f(m.Data))
			if err != nil {
				t.Error(err)
			}
			_ = m.Respond(text) // the coordinator's deadline tells of one that is lost
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(wire.Hello{Name: s.name, Schema: wire.Schema, Run: unpark.SchemaRun, Boot: s.name})
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	register, err := js.KeyValue(t.Context(), hub.Agents)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := register.Put(t.Context(), s.name, text); err != nil {
		t.Fatal(err)
	}
}

// beat tells that it is there whenever the coordinator does.
func (s *standIn) beat(m *nats.Msg) {
	_ = s.nc.Publish(wire.Of("beat", strings.TrimPrefix(m.Subject, "unpark.lease."), s.name), []byte("{}"))
}

func (s *standIn) onClock([]byte) any {
	now := s.clock.Now()
	return wire.Times{Came: now, Answered: now}
}

func (s *standIn) onNothing([]byte) any { return wire.Ready{} }

func (s *standIn) onPlan(text []byte) any {
	var p wire.Piece
	err := json.Unmarshal(text, &p)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.task, err = s.join.Add(p)
	}
	return ready(err)
}

func (s *standIn) onStart(text []byte) any {
	var start wire.Start
	err := json.Unmarshal(text, &start)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = start.At
	if err == nil && !s.task.Open {
		go s.finish(s.task.Phases)
	}
	return ready(err)
}

func (s *standIn) onMore(text []byte) any {
	var more wire.More
	err := json.Unmarshal(text, &more)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.task.Phases = append(s.task.Phases, more.Phases...)
	if err == nil && more.Last {
		go s.finish(more.Phases)
	}
	return ready(err)
}

func (s *standIn) onBlock(text []byte) any {
	var part wire.Part
	err := json.Unmarshal(text, &part)
	if err != nil {
		return ready(err)
	}
	s.mu.Lock()
	phase := s.task.Phases[part.Phase]
	s.mu.Unlock()
	key, err := s.put("block-"+phase.At.String(), phase)
	return wire.Ready{Record: key, Err: ready(err).Err}
}

func ready(err error) wire.Ready {
	if err == nil {
		return wire.Ready{}
	}
	return wire.Ready{Err: err.Error()}
}

// finish hands in what it has of the window, before that is over: the coordinator waits for it and for no clock.
func (s *standIn) finish(phases []wire.Phase) {
	i := slices.IndexFunc(phases, func(p wire.Phase) bool { return p.Name == "window" })
	done := wire.Done{Began: s.at}
	if s.void != "" {
		done.Void = []unpark.Notice{{Code: "generator-late", Message: s.void}}
	}
	var err error
	if done.Record, err = s.put("record.json", phases[i]); err != nil {
		done.Err = err.Error()
	}
	text, err := json.Marshal(done)
	if err == nil {
		_, _ = s.nc.Request(wire.Of("done", s.task.Run, s.name), text, 10*time.Second) // of one that is lost the coordinator tells
	}
}

// put stores the record of a phase.
func (s *standIn) put(name string, phase wire.Phase) (key string, err error) {
	text, err := s.record(phase)
	if err != nil {
		return "", err
	}
	key = s.task.Run + "/" + s.name + "/" + name
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return key, hub.Put(ctx, s.nc, key, func() io.ReadCloser { return io.NopCloser(bytes.NewReader(text)) })
}

// record is what its share of the plan comes to in a phase, as agents write it.
func (s *standIn) record(phase wire.Phase) ([]byte, error) {
	plan, share := s.task.Plan.Plan, s.task.Plan.Share
	var responses []time.Duration
	for k := share.Index; float64(k) < plan.RateRPS*phase.Length.Seconds(); k += share.Of {
		responses = append(responses, s.response(k, plan.RateRPS))
	}
	n, rate := len(responses), plan.RateRPS/float64(share.Of)
	none := histogram(make([]time.Duration, n))
	h := histogram(responses)
	return json.Marshal(map[string]any{
		"started": time.Unix(0, s.at), "mode": plan.Mode,
		"stretches": []any{map[string]any{
			"phase": phase.Name, "start_s": phase.At.Seconds(), "length_s": phase.Length.Seconds(),
			"offered_rps": rate, "achieved_rps": rate, "parts": 1,
			"tally": map[string]any{
				"requests": n, "answers": n, "status": map[string]int{"200": n}, "first_error_ns": int64(math.MaxInt64),
				"response": h, "service": h, "lag": none, "own_lag": none,
			},
		}},
	})
}

// histogram is one of three digits as records have it: counts are varints, a negative one for so many zeros.
func histogram(v []time.Duration) map[string]any {
	h := hdr.New(1_000, 3_600_000_000_000, 3)
	sum := time.Duration(0)
	for _, d := range v {
		_ = h.RecordValue(int64(d)) // below an hour
		sum += d
	}
	var counts []byte
	zeros := int64(0)
	for _, n := range h.Export().Counts {
		if n == 0 {
			zeros++
			continue
		}
		if zeros > 0 {
			counts = binary.AppendVarint(counts, -zeros)
		}
		counts, zeros = binary.AppendVarint(counts, n), 0
	}
	return map[string]any{"digits": 3, "counts": counts, "sum_ns": sum, "min_ns": slices.Min(v), "max_ns": slices.Max(v)}
}

// stood has stand-ins drive such a load.
func stood(t *testing.T, plan unpark.Plan, agents ...*standIn) manyLoad {
	t.Helper()
	f, join := coordinator(t)
	var names []string
	for _, s := range agents {
		standsIn(t, s, join, f.URL())
		names = append(names, s.name)
	}
	return chosen(t, f, plan, names...)
}
