//go:build unix

package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"connectrpc.com/connect"
	google "github.com/google/pprof/profile"
	profilev1 "github.com/grafana/pyroscope/api/gen/proto/go/google/v1"
	pushv1 "github.com/grafana/pyroscope/api/gen/proto/go/push/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/push/v1/pushv1connect"
	querierv1 "github.com/grafana/pyroscope/api/gen/proto/go/querier/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/querier/v1/querierv1connect"
	typesv1 "github.com/grafana/pyroscope/api/gen/proto/go/types/v1"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestStoreScripts has an S3 server, Pyroscope's own handlers and a receiver of OTLP beside it, over loopback.
func TestStoreScripts(t *testing.T) {
	t.Parallel()
	backend := s3mem.New()
	if err := backend.CreateBucket("perf"); err != nil {
		t.Fatal(err)
	}
	bucket := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(bucket.Close)
	m := http.NewServeMux()
	p := &pyroscope{}
	m.Handle(querierv1connect.NewQuerierServiceHandler(p))
	m.Handle(pushv1connect.NewPusherServiceHandler(p))
	m.HandleFunc("POST /v1development/profiles", func(http.ResponseWriter, *http.Request) {})
	peers := httptest.NewServer(m)
	t.Cleanup(peers.Close)
	s := scripts()
	s.Dir = filepath.Join("testdata", "store")
	setup := s.Setup
	s.Setup = func(e *testscript.Env) error {
		if err := setup(e); err != nil {
			return err
		}
		for name, value := range map[string]string{
			"UNPARK_S3_ENDPOINT": bucket.URL, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "the-secret", "AWS_REGION": "us-east-1",
			"PEERS": peers.URL,
		} {
			e.Setenv(name, value)
		}
		return nil
	}
	s.Cmds["nothing"] = nothing
	testscript.Run(t, s)
}

// nothing checks that no file below a folder has a text: nothing TEXT FOLDER.
func nothing(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: nothing TEXT FOLDER")
	}
	ts.Check(filepath.WalkDir(ts.MkAbs(args[1]), func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if text, err := os.ReadFile(p); err != nil || bytes.Contains(text, []byte(args[0])) {
			ts.Fatalf("%s has %s: %v", p, args[0], err)
		}
		if info, err := d.Info(); err == nil && info.Mode().Perm() != 0o600 {
			ts.Fatalf("%s has mode %o", p, info.Mode().Perm())
		}
		return nil
	}))
}

// pyroscope has what was pushed to it, of one service.
type pyroscope struct {
	querierv1connect.UnimplementedQuerierServiceHandler
	pushv1connect.UnimplementedPusherServiceHandler
	mu  sync.Mutex
	all map[string][]byte // by name, then value
}

func (p *pyroscope) Push(_ context.Context, r *connect.Request[pushv1.PushRequest]) (*connect.Response[pushv1.PushResponse], error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil {
		p.all = map[string][]byte{}
	}
	for _, s := range r.Msg.Series {
		for _, l := range s.Labels {
			if l.Name == "__name__" {
				p.all[l.Value] = s.Samples[0].RawProfile
			}
		}
	}
	return connect.NewResponse(&pushv1.PushResponse{}), nil
}

func (p *pyroscope) ProfileTypes(context.Context, *connect.Request[querierv1.ProfileTypesRequest]) (*connect.Response[querierv1.ProfileTypesResponse], error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := &querierv1.ProfileTypesResponse{}
	for name, raw := range p.all {
		parsed, err := google.ParseData(raw)
		if err != nil {
			return nil, err
		}
		for _, t := range parsed.SampleType {
			out.ProfileTypes = append(out.ProfileTypes, &typesv1.ProfileType{ID: strings.Join([]string{name, t.Type, t.Unit, "x", "y"}, ":")})
		}
	}
	return connect.NewResponse(out), nil
}

func (p *pyroscope) SelectMergeProfile(_ context.Context, r *connect.Request[querierv1.SelectMergeProfileRequest]) (*connect.Response[profilev1.Profile], error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := &profilev1.Profile{}
	parts := strings.Split(r.Msg.ProfileTypeID, ":")
	if !strings.Contains(r.Msg.LabelSelector, `service_name="shop"`) {
		return connect.NewResponse(out), nil
	}
	parsed, err := google.ParseData(p.all[parts[0]])
	if err != nil {
		return nil, err
	}
	for i, t := range parsed.SampleType {
		if t.Type != parts[1] {
			continue
		}
		parsed.SampleType, parsed.DefaultSampleType = []*google.ValueType{t}, ""
		for _, s := range parsed.Sample {
			s.Value = s.Value[i : i+1]
		}
		break
	}
	var b bytes.Buffer
	if err := parsed.WriteUncompressed(&b); err != nil {
		return nil, err
	}
	return connect.NewResponse(out), out.UnmarshalVT(b.Bytes())
}

func (p *pyroscope) SelectSeries(_ context.Context, r *connect.Request[querierv1.SelectSeriesRequest]) (*connect.Response[querierv1.SelectSeriesResponse], error) {
	return connect.NewResponse(&querierv1.SelectSeriesResponse{Series: []*typesv1.Series{{Points: []*typesv1.Point{{Timestamp: r.Msg.End, Value: 1}}}}}), nil
}
