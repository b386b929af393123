// Package wire is what a coordinator and its agents say to each other.
//
// Subjects, where NAME is an agent's and RUN a run's:
//
//	unpark.agent.NAME.clock    asked: four timestamps
//	unpark.agent.NAME.plan     asked: a piece of a task, which can be larger than a message
//	unpark.agent.NAME.prepare  asked: is it allowed, and is everything there?
//	unpark.agent.NAME.start    asked: at which instant of its own clock
//	unpark.agent.NAME.more     asked: phases that follow, of a load that goes on until they are known
//	unpark.agent.NAME.block    asked: what was recorded of one of them
//	unpark.agent.NAME.stop     asked: end it
//	unpark.lease.RUN           told twice a second: the coordinator is there
//	unpark.beat.RUN.NAME       told twice a second: so is the agent, and how its load goes
//	unpark.done.RUN.NAME       asked: it is over, and these are its files
//
// Secrets of a plan (headers, bodies) go to the agents that are to send them and nowhere
// else: a task is told, not stored.
package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/requests"
)

// Schema is the version of these messages. Agents of another are refused.
const Schema = "unpark.fleet/4"

// Intervals of the two signs of life, and how long each may be missing.
const (
	Beat  = 500 * time.Millisecond
	Lease = 5 * time.Second // without one an agent ends its load
)

// Subject is where an agent is asked.
func Subject(agent, what string) string { return "unpark.agent." + agent + "." + what }

// Of is where something of a run is told: "lease", "beat" or "done".
func Of(what, run string, agent ...string) string {
	return strings.Join(append([]string{"unpark", what, run}, agent...), ".")
}

// Hello is an agent in the register.
type Hello struct {
	Name    string         `json:"name"`
	Schema  string         `json:"schema"`
	Run     string         `json:"run_schema"`
	Version unpark.Version `json:"version"`
	Host    unpark.Host    `json:"host"`
	Boot    string         `json:"boot_id"`
	Attach  bool           `json:"attach"`
	Allow   []string       `json:"allow"` // beside loopback and private addresses
	Busy    string         `json:"busy,omitempty"`
	Free    float64        `json:"free_memory_bytes"`
	Load    float64        `json:"busy_cores"`
}

// Valid reports whether a name may be one of an agent: a token of a subject.
func Valid(name string) bool {
	if name == "" || len(name) > 64 {
		return false
	}
	for _, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return true
}

// Times are the two timestamps of an answer about the clock.
type Times struct {
	Came     int64 `json:"came"`
	Answered int64 `json:"answered"`
}

// Piece is a part of a task.
type Piece struct {
	Run  string `json:"run"`
	At   int    `json:"at"` // bytes before it
	Last bool   `json:"last"`
	Text []byte `json:"text"`
}

// PieceBytes is how long a piece is at most, below the 1 MB that NATS has for a message in
// base64; MaxTask bounds a whole task.
const (
	PieceBytes = 256 << 10
	MaxTask    = 128 << 20
)

// Phase is a stretch of a run at a fixed time after its start.
type Phase struct {
	Name   string        `json:"name"`
	At     time.Duration `json:"at"`
	Length time.Duration `json:"length"`
}

// Block is the name of a phase that is handed in as soon as it is over, to decide which follow.
const Block = "block"

// More are phases that follow those that are known.
type More struct {
	Run    string  `json:"run"`
	Phases []Phase `json:"phases"`
	Last   bool    `json:"last"`
}

// Part asks for the record of a phase.
type Part struct {
	Run   string `json:"run"`
	Phase int    `json:"phase"`
}

// Task is what one agent is to do in a run.
type Task struct {
	Run     string        `json:"run"`
	Window  string        `json:"window"` // its folder in the run directory
	Plan    *Plan         `json:"plan"`   // nil: no load
	Level   unpark.Level  `json:"level"`
	Phases  []Phase       `json:"phases"`
	Open    bool          `json:"open"`    // more of them follow, and the load goes on until then
	Capture []string      `json:"capture"` // endpoints, and pid:N
	Block   time.Duration `json:"block_rate"`
	Mutex   int           `json:"mutex_fraction"`
	Traced  int           `json:"traced"` // processes, at most
	Hosts   []string      `json:"hosts"`  // that the coordinator's user named
}

// Phase returns the one of a name; false where there is none.
func (t Task) Phase(name string) (Phase, bool) {
	for _, p := range t.Phases {
		if p.Name == name {
			return p, true
		}
	}
	return Phase{}, false
}

// End is when the last phase is over.
func (t Task) End() time.Duration {
	var end time.Duration
	for _, p := range t.Phases {
		end = max(end, p.At+p.Length)
	}
	return end
}

// Ready answers what is asked of a task.
type Ready struct {
	Err       string `json:"error,omitempty"`
	Processes []int  `json:"pids"`             // of what is captured, as they number themselves
	Record    string `json:"record,omitempty"` // key of the object that was asked for
}

// Start says when, by the agent's own clock, and which numbers its processes have in the
// run, where those of several machines are the same.
type Start struct {
	Run     string      `json:"run"`
	At      int64       `json:"at"`
	Numbers map[int]int `json:"numbers"`
}

// Sign is a beat.
type Sign struct {
	Phase    string  `json:"phase"`
	RPS      float64 `json:"rps"`
	P99      float64 `json:"p99"`
	Errors   int64   `json:"errors"`
	InFlight int     `json:"in_flight"`
	Answered int64   `json:"answered"` // within the window, by now
}

// Done is what an agent has to show.
type Done struct {
	Err      string          `json:"error,omitempty"`
	Began    int64           `json:"began"`    // its clock when the load began
	Waited   int64           `json:"waited"`   // ns that its threads had no processor meanwhile, together; 0: unknown
	Wall     int64           `json:"wall"`     // its wall clock less its clock, ns
	Answered int64           `json:"answered"` // within the window, also of a load that ended early
	Void     []unpark.Notice `json:"void"`
	Warnings []unpark.Notice `json:"warnings"`
	Record   string          `json:"record"` // keys of objects; empty: none
	Window   string          `json:"window"`
	Files    string          `json:"files"` // of the run directory, in one tar
}

// Plan is a plan with what documents leave out.
type Plan struct {
	Plan     unpark.Plan             `json:"plan"`
	Share    unpark.Share            `json:"share"`
	Arrivals []float64               `json:"arrivals"`
	Hosts    map[string][]netip.Addr `json:"hosts"`
	Requests []Request               `json:"requests"`
}

// Request is what a document leaves out of a request.
type Request struct {
	Header  map[string][]string `json:"header"`
	Body    []byte              `json:"body"`
	Target  *requests.Template  `json:"target"`
	Payload *requests.Template  `json:"payload"`
}

// NewPlan takes a plan apart.
func NewPlan(p unpark.Plan) (*Plan, error) {
	out := &Plan{Plan: p, Share: p.Share, Arrivals: p.Arrivals, Hosts: p.Hosts}
	for _, r := range p.Requests {
		q := Request{Header: r.Header, Body: r.Body}
		for _, t := range []struct {
			from unpark.Template
			to   **requests.Template
		}{{r.Target, &q.Target}, {r.Payload, &q.Payload}} {
			if t.from == nil {
				continue
			}
			known, ok := t.from.(*requests.Template)
			if !ok {
				return nil, errors.New("send the plan to agents: a template of its requests cannot be written down")
			}
			*t.to = known
		}
		out.Requests = append(out.Requests, q)
	}
	return out, nil
}

// Whole puts it together again.
func (p *Plan) Whole() (unpark.Plan, error) {
	out := p.Plan
	out.Share, out.Arrivals, out.Hosts = p.Share, p.Arrivals, p.Hosts
	if len(p.Requests) != len(out.Requests) {
		return out, fmt.Errorf("read the plan: %d requests and what to send of %d", len(out.Requests), len(p.Requests))
	}
	for i, q := range p.Requests {
		r := &out.Requests[i]
		r.Header, r.Body = q.Header, q.Body
		if q.Target != nil {
			r.Target = q.Target
		}
		if q.Payload != nil {
			r.Payload = q.Payload
		}
	}
	return out, nil
}

// Pieces cuts a task.
func Pieces(t Task) ([]Piece, error) {
	text, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("write the task of an agent: %w", err)
	}
	if len(text) > MaxTask {
		return nil, fmt.Errorf("send the plan to agents: %d MB, more than %d: draw values from fewer lines, or replay fewer arrivals", len(text)>>20, MaxTask>>20)
	}
	var out []Piece
	for at := 0; at < len(text); at += PieceBytes {
		end := min(at+PieceBytes, len(text))
		out = append(out, Piece{Run: t.Run, At: at, Last: end == len(text), Text: text[at:end]})
	}
	return out, nil
}

// Join puts pieces together; it returns the task with the last one.
type Join struct {
	run  string
	text []byte
}

var errPieces = errors.New("pieces of a task are missing: start the run again")

// Add takes the next piece; a first one begins a new task.
func (j *Join) Add(p Piece) (*Task, error) {
	if p.At == 0 {
		j.run, j.text = p.Run, nil
	}
	if p.Run != j.run || p.At != len(j.text) || len(j.text)+len(p.Text) > MaxTask {
		return nil, errPieces
	}
	j.text = append(j.text, p.Text...)
	if !p.Last {
		return nil, nil //nolint:nilnil // there is more to come
	}
	var t Task
	if err := json.Unmarshal(j.text, &t); err != nil {
		return nil, fmt.Errorf("read the task: %w", err)
	}
	j.text = nil
	return &t, nil
}
