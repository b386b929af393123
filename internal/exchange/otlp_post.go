package exchange

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"go.opentelemetry.io/collector/pdata/pprofile/pprofileotlp"

	"github.com/unpark-go/unpark/internal/escape"
)

// otlpPath is where a receiver of OTLP over HTTP takes profiles.
const otlpPath = "/v1development/profiles"

// PostOTLP sends profiles to a receiver of OTLP over HTTP, a request for each process, and returns how many were taken. Headers, as for
// credentials, are those of OTEL_EXPORTER_OTLP_HEADERS (name=value,name=value); they are sent over TLS, or to this machine. An address
// without a path gets that of the protocol.
func PostOTLP(ctx context.Context, address string, s Set) (int, error) {
	u, err := server("the receiver", address)
	if err != nil {
		return 0, err
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = otlpPath
	}
	h, err := otlpHeaders(u)
	if err != nil {
		return 0, err
	}
	by := map[int]Set{}
	var order []int
	for _, p := range s.Profiles {
		if _, ok := by[p.PID]; !ok {
			order = append(order, p.PID)
		}
		one := by[p.PID]
		one.Service, one.Run, one.Profiles = s.Service, s.Run, append(one.Profiles, p)
		by[p.PID] = one
	}
	n := 0
	for _, pid := range order {
		data, err := OTLP(by[pid], Protobuf)
		if err == nil {
			err = post(ctx, u, h, data)
		}
		if err != nil {
			return n, fmt.Errorf("send OTLP profiles to %s: %w", escape.Line(u.Redacted()), err)
		}
		n += len(by[pid].Profiles)
	}
	return n, nil
}

func otlpHeaders(u *url.URL) (http.Header, error) {
	h := http.Header{}
	for pair := range strings.SplitSeq(os.Getenv("OTEL_EXPORTER_OTLP_HEADERS"), ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if !ok {
			continue
		}
		plain, err := url.PathUnescape(strings.TrimSpace(value))
		if err != nil {
			return nil, fmt.Errorf("read OTEL_EXPORTER_OTLP_HEADERS: the value of %s cannot be read: write name=value,name=value, percent-encoded", escape.Line(name))
		}
		h.Set(strings.TrimSpace(name), plain)
	}
	if len(h) > 0 && u.Scheme == "http" && !local(u.Hostname()) {
		return nil, fmt.Errorf("%s is plain http on another machine: OTEL_EXPORTER_OTLP_HEADERS are sent over https alone", escape.Line(u.Redacted()))
	}
	return h, nil
}

func post(ctx context.Context, u *url.URL, h http.Header, data []byte) error {
	var body bytes.Buffer
	zw := gzip.NewWriter(&body)
	if _, err := zw.Write(data); err != nil {
		return err
	}
	if err := zw.Close(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), &body)
	if err != nil {
		return err
	}
	r.Header = h.Clone()
	r.Header.Set("Content-Type", "application/x-protobuf")
	r.Header.Set("Content-Encoding", "gzip")
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("%w: check the address: that of a receiver of OTLP over HTTP, as http://127.0.0.1:4318", err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	switch {
	case err != nil:
		return err
	case answer.StatusCode == http.StatusNotFound:
		return fmt.Errorf("it has no %s: turn the receiver's profiles on (in the Collector, the feature gate service.profilesSupport and a profiles pipeline)", u.Path)
	case answer.StatusCode == http.StatusUnauthorized || answer.StatusCode == http.StatusForbidden:
		return errors.New("it refused: set OTEL_EXPORTER_OTLP_HEADERS, as authorization=Bearer%20…")
	case answer.StatusCode/100 != 2:
		return fmt.Errorf("it answered %s: %s", escape.Line(answer.Status), escape.Prose(string(text[:min(len(text), 200)])))
	}
	said := pprofileotlp.NewExportResponse()
	if err := said.UnmarshalProto(text); err != nil {
		return nil //nolint:nilerr // it took them, and says it in other words
	}
	if n := said.PartialSuccess().RejectedProfiles(); n > 0 {
		return fmt.Errorf("it rejected %d profiles: %s", n, escape.Prose(said.PartialSuccess().ErrorMessage()))
	}
	return nil
}
