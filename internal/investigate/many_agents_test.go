package investigate

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/clock"
	"github.com/unpark-go/unpark/internal/fleet/hub"
	"github.com/unpark-go/unpark/internal/fleet/wire"
	"github.com/unpark-go/unpark/internal/measure/load"
)

// asAgents has the test's binary be agents that hand in what is in a folder: the server's address, the credential, the
// folder, their number and the processes of each.
const asAgents = "UNPARK_TEST_AGENTS"

// standIns are agents in all that they say. Instead of a load and a capture they have a folder.
func standIns(args []string) error {
	if len(args) != 5 {
		return fmt.Errorf("%s has %d words of 5", asAgents, len(args))
	}
	join, err := hub.ReadJoin(args[1])
	if err != nil {
		return err
	}
	n, bad := strconv.Atoi(args[3])
	each, worse := strconv.Atoi(args[4])
	if err := errors.Join(bad, worse); err != nil {
		return err
	}
	record, err := os.ReadFile(filepath.Join(args[2], "record.json"))
	if err != nil {
		return err
	}
	for i := range n {
		s := &standIn{name: fmt.Sprintf("agent-%02d", i), dir: args[2], record: record, clock: clock.New(0)}
		for p := range each {
			s.pids = append(s.pids, 100*(i+1)+p)
		}
		if s.nc, err = join.DialAgent(args[0]); err != nil {
			return err
		}
		if err := s.listen(); err != nil {
			return err
		}
	}
	select {} // until it is killed
}

type standIn struct {
	name   string
	dir    string
	record []byte
	pids   []int
	nc     *nats.Conn
	clock  *clock.Clock
	join   wire.Join
	task   *wire.Task
}

func (s *standIn) listen() error {
	answer := func(m *nats.Msg, what any) {
		if text, err := json.Marshal(what); err == nil {
			_ = m.Respond(text)
		}
	}
	for what, f := range map[string]func(*nats.Msg){
		"clock": func(m *nats.Msg) { answer(m, wire.Times{Came: s.clock.Now(), Answered: s.clock.Now()}) },
		"stop":  func(m *nats.Msg) { answer(m, wire.Ready{}) },
		"plan": func(m *nats.Msg) {
			var p wire.Piece
			_ = json.Unmarshal(m.Data, &p)
			if t, err := s.join.Add(p); err == nil && t != nil {
				s.task = t
			}
			answer(m, wire.Ready{})
		},
		"prepare": func(m *nats.Msg) { answer(m, wire.Ready{Processes: s.pids}) },
		"start": func(m *nats.Msg) {
			var at wire.Start
			_ = json.Unmarshal(m.Data, &at)
			answer(m, wire.Ready{})
			go s.carryOut(at)
		},
	} {
		if _, err := s.nc.Subscribe(wire.Subject(s.name, what), f); err != nil {
			return err
		}
	}
	js, err := jetstream.New(s.nc)
	if err != nil {
		return err
	}
	kv, err := js.KeyValue(context.Background(), hub.Agents)
	if err != nil {
		return err
	}
	hello, err := json.Marshal(wire.Hello{Name: s.name, Schema: wire.Schema, Run: unpark.SchemaRun, Boot: s.name})
	if err != nil {
		return err
	}
	go func() {
		for ; ; time.Sleep(2 * time.Second) {
			_, _ = kv.Put(context.Background(), s.name, hello)
		}
	}()
	return nil
}

// carryOut gives signs of life until the last phase is over, and hands in what there is.
func (s *standIn) carryOut(at wire.Start) {
	start := s.clock.Time(at.At)
	end := start.Add(s.task.End())
	for time.Now().Before(end) {
		_ = s.nc.Publish(wire.Of("beat", at.Run, s.name), []byte("{}"))
		time.Sleep(min(wire.Beat, time.Until(end)))
	}
	done := wire.Done{Began: at.At, Wall: time.Now().UnixNano() - s.clock.Now()}
	if err := s.handIn(start, &done); err != nil {
		done.Err = err.Error()
	}
	text, err := json.Marshal(done)
	if err != nil {
		return
	}
	for range 20 {
		if _, err := s.nc.Request(wire.Of("done", at.Run, s.name), text, 2*time.Second); err == nil {
			return
		}
	}
}

func (s *standIn) handIn(start time.Time, done *wire.Done) error {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	var err error
	put := func(name string, open func() io.ReadCloser) string {
		key := s.task.Run + "/" + s.name + "/" + name
		err = errors.Join(err, hub.Put(ctx, s.nc, key, open))
		return key
	}
	whole := func(b []byte) func() io.ReadCloser {
		return func() io.ReadCloser { return io.NopCloser(bytes.NewReader(b)) }
	}
	measured, _ := s.task.Phase("window")
	w := madeWindow(start.Add(measured.At).Round(0), s.pids...)
	w.Level = s.task.Level
	text, bad := json.Marshal(w)
	if bad != nil {
		return bad
	}
	done.Record, done.Window = put("record.json", whole(s.record)), put("window.json", whole(text))
	done.Files = put("files.tar", func() io.ReadCloser {
		in, to := io.Pipe()
		go func() { to.CloseWithError(s.pack(to)) }()
		return in
	})
	return err
}

func (s *standIn) pack(w io.Writer) error {
	out := tar.NewWriter(w)
	one := func(from, name string) error {
		f, err := os.Open(from)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: info.Size()}); err != nil {
			return err
		}
		_, err = io.Copy(out, f)
		return err
	}
	for i, pid := range s.pids {
		of := filepath.Join(s.dir, strconv.Itoa(pid))
		files, err := os.ReadDir(of)
		if err != nil {
			return err
		}
		to := "window-01/" + strconv.Itoa(pid) + "/"
		for _, f := range files {
			if err := one(filepath.Join(of, f.Name()), to+f.Name()); err != nil {
				return err
			}
		}
		if i == 0 {
			if err := one(filepath.Join(s.dir, "trace.out"), to+"trace.out"); err != nil {
				return err
			}
		}
	}
	return out.Close()
}

// madeRecord is what one agent recorded of a load with such phases, with a minute of seconds.
func madeRecord(phases []string, of int) ([]byte, error) {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer s.Close()
	g, err := load.Start(context.Background(), unpark.Plan{
		Mode: unpark.Constant, RateRPS: 2000, Connections: 8, Timeout: 5, Requests: []unpark.Request{{URL: s.URL}}, Share: unpark.Share{Of: of},
	})
	if err != nil {
		return nil, err
	}
	defer g.Stop()
	var all []*load.Stretch
	for _, name := range phases {
		all = append(all, g.Begin(name))
		time.Sleep(600 * time.Millisecond)
	}
	g.Begin("drain")
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for _, st := range all {
		st.Load(ctx)
	}
	g.Stop()
	r, err := g.Record(all...)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		return nil, err
	}
	var whole map[string]json.RawMessage
	var seconds []map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(b.Bytes(), &whole), json.Unmarshal(whole["seconds"], &seconds)); err != nil {
		return nil, err
	}
	var minute []map[string]json.RawMessage
	for i := range 60 {
		one := map[string]json.RawMessage{}
		for k, v := range seconds[0] {
			one[k] = v
		}
		one["from_ns"], one["to_ns"] = json.RawMessage(fmt.Sprint(i*1e9)), json.RawMessage(fmt.Sprint((i+1)*1e9))
		minute = append(minute, one)
	}
	text, err := json.Marshal(minute)
	if err != nil {
		return nil, err
	}
	whole["seconds"] = text
	// The generator's own delay on a machine that does all this would make the run void.
	var stretches []map[string]json.RawMessage
	if err := json.Unmarshal(whole["stretches"], &stretches); err != nil {
		return nil, err
	}
	for _, st := range stretches {
		var tally map[string]json.RawMessage
		if err := json.Unmarshal(st["tally"], &tally); err != nil {
			return nil, err
		}
		tally["own_lag"], tally["late"] = json.RawMessage(`{"digits":3}`), json.RawMessage("0")
		if st["tally"], err = json.Marshal(tally); err != nil {
			return nil, err
		}
	}
	if whole["stretches"], err = json.Marshal(stretches); err != nil {
		return nil, err
	}
	return json.Marshal(whole)
}

// asFolder has the test's binary make such a folder: its name, the number of agents, the processes of each, the bytes of
// the trace, and the phases of the load.
const asFolder = "UNPARK_TEST_AGENTS_FOLDER"

// makeFolder makes what stand-ins hand in: for each process its profiles, one trace and one record.
func makeFolder(args []string) error {
	if len(args) != 5 {
		return fmt.Errorf("a folder is made of %d words of 5", len(args))
	}
	dir := args[0]
	agents, bad := strconv.Atoi(args[1])
	each, worse := strconv.Atoi(args[2])
	size, worst := strconv.ParseInt(args[3], 10, 64)
	if err := errors.Join(bad, worse, worst); err != nil {
		return err
	}
	record, err := madeRecord(strings.Split(args[4], ","), agents)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "record.json"), record, 0o600)
	}
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, "trace.out"))
	if err != nil {
		return err
	}
	if err := errors.Join(madeTrace(f, size), f.Close()); err != nil {
		return err
	}
	for i := range agents {
		for p := range each {
			pid := 100*(i+1) + p
			of := filepath.Join(dir, strconv.Itoa(pid))
			files, err := madeFiles(pid, 1000)
			if err == nil {
				err = os.Mkdir(of, 0o700)
			}
			for name, body := range files {
				err = errors.Join(err, os.WriteFile(filepath.Join(of, name), body, 0o600))
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
