package prove

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/answers"
	"github.com/unpark-go/unpark/internal/measure/load"
)

// question is one request of the sample, as it is sent.
type question struct {
	shown  string
	method string
	url    string
	socket string
	header http.Header
	body   []byte
	rpc    bool // over gRPC
}

// reads reports whether it changes nothing (RFC 9110, section 9.2.1). Nothing says that of a call of gRPC: it is asked at
// each step, as the load asks it over and over.
func (q question) reads() bool {
	return q.rpc || q.method == http.MethodGet || q.method == http.MethodHead || q.method == http.MethodOptions
}

// questionsOf draws the sample from a plan: all of its requests, or as many as are asked, evenly.
func questionsOf(plan unpark.Plan) ([]question, error) {
	var out []question
	n := len(plan.Requests)
	for i := range min(n, mostRequests) {
		r := plan.Requests[i*n/min(n, mostRequests)]
		times := 1
		if r.Target != nil || r.Payload != nil {
			times = variants
		}
		for k := range times {
			q, err := questionOf(r, plan.Seed, int64(k))
			if err != nil {
				return nil, err
			}
			if times > 1 {
				q.shown += fmt.Sprintf(" (%d)", k+1)
			}
			out = append(out, q)
		}
	}
	return out, nil
}

// questionOf is request k of one kind.
func questionOf(r unpark.Request, seed uint64, k int64) (question, error) {
	q := question{shown: shown(r), method: r.Method, url: r.URL, header: r.Header, body: r.Body}
	if socket, target, ok := unpark.SplitUnix(r.URL); ok {
		q.socket, q.url = socket, "http://localhost"+target
	}
	if r.Target != nil {
		u, err := url.Parse(q.url)
		if err != nil {
			return q, fmt.Errorf("%s: %w", q.shown, unpark.RedactParse(q.url, err))
		}
		q.url = u.Scheme + "://" + u.Host + string(r.Target.Append(nil, seed, k))
	}
	if r.Payload != nil {
		q.body = r.Payload.Append(nil, seed, k)
	}
	q.call()
	return q, nil
}

// asked is what one start of a service answered, by question.
type asked struct {
	series []answers.Series
	steps  [][]answers.Step
	count  int64
}

// asker asks one start of a service.
type asker struct {
	questions []question
	client    map[connection]*http.Client
	plan      unpark.Plan
	out       asked
}

// connection is what questions share one by.
type connection struct{ socket, protocol string }

func (q question) connection(plan unpark.Plan) connection {
	switch {
	case !q.rpc:
		return connection{q.socket, plan.Protocol}
	case strings.HasPrefix(q.url, "https:"):
		return connection{q.socket, "h2"}
	}
	return connection{q.socket, "h2c"}
}

// ask asks a service that runs all steps.
func ask(ctx context.Context, plan unpark.Plan, questions []question) (asked, error) {
	a := &asker{questions: questions, client: map[connection]*http.Client{}}
	defer func() {
		for _, c := range a.client {
			c.CloseIdleConnections()
		}
	}()
	timeout := time.Duration(plan.Timeout * float64(time.Second))
	dial := load.Dial(plan)
	for _, q := range questions {
		to := dial
		if q.socket != "" {
			to = func(ctx context.Context, _, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, "unix", q.socket)
			}
		}
		a.client[q.connection(plan)] = clientOf(to, timeout, q.connection(plan).protocol)
	}
	n := len(questions)
	a.plan = plan
	a.out = asked{series: make([]answers.Series, n), steps: make([][]answers.Step, n)}
	for _, step := range []answers.Step{answers.Cold, answers.Again, answers.Again, answers.Again, answers.Again, answers.Later, answers.Later, answers.Written, answers.Written} {
		if err := a.step(ctx, step); err != nil {
			return asked{}, err
		}
	}
	a.atOnce(ctx)
	return a.out, ctx.Err()
}

func clientOf(dial func(context.Context, string, string) (net.Conn, error), timeout time.Duration, protocol string) *http.Client {
	t := &http.Transport{DialContext: dial, DisableCompression: true, MaxIdleConnsPerHost: atOnce}
	if protocol == "h2" || protocol == "h2c" {
		t.Protocols = new(http.Protocols)
		t.Protocols.SetHTTP2(true)
		t.Protocols.SetUnencryptedHTTP2(protocol == "h2c")
	} else {
		t.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	}
	return &http.Client{Transport: t, Timeout: timeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// step asks the questions that read once, before it those that write where the step comes after a write.
func (a *asker) step(ctx context.Context, step answers.Step) error {
	if step == answers.Later {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
	wrote := false
	for i, q := range a.questions {
		if step == answers.Written && !q.reads() {
			wrote = true
			a.keep(i, step, a.get(ctx, q))
		}
	}
	for i, q := range a.questions {
		if q.reads() && (step != answers.Written || wrote) {
			a.keep(i, step, a.get(ctx, q))
		}
	}
	return ctx.Err()
}

func (a *asker) keep(i int, step answers.Step, answer answers.Answer) {
	a.out.series[i], a.out.steps[i] = append(a.out.series[i], answer), append(a.out.steps[i], step)
	a.out.count++
}

// atOnce asks the questions that read by several at once, each in an order of its own.
func (a *asker) atOnce(ctx context.Context) {
	got := make([][]answers.Answer, atOnce)
	var all sync.WaitGroup
	for k := range got {
		got[k] = make([]answers.Answer, len(a.questions))
		all.Go(func() {
			for j := range a.questions {
				i := (j + k) % len(a.questions)
				if q := a.questions[i]; q.reads() {
					got[k][i] = a.get(ctx, q)
				}
			}
		})
	}
	all.Wait()
	for _, each := range got {
		for i, q := range a.questions {
			if q.reads() {
				a.keep(i, answers.UnderLoad, each[i])
			}
		}
	}
}

// get asks one question.
func (a *asker) get(ctx context.Context, q question) answers.Answer {
	r, err := http.NewRequestWithContext(ctx, q.method, q.url, bytes.NewReader(q.body))
	if err != nil {
		return answers.Answer{Failed: "it cannot be sent"}
	}
	for name, values := range q.header {
		r.Header[http.CanonicalHeaderKey(name)] = values
		if strings.EqualFold(name, "Host") && len(values) > 0 {
			r.Host = values[0]
		}
	}
	response, err := a.client[q.connection(a.plan)].Do(r)
	if err != nil {
		return answers.Answer{Failed: failure(err)}
	}
	defer response.Body.Close()
	body, err := bodyOf(response)
	if err != nil {
		return answers.Answer{Failed: failure(err)}
	}
	if q.rpc {
		return called(response, body)
	}
	return answers.Answer{Status: response.StatusCode, Type: response.Header.Get("Content-Type"), Place: address(response.Header.Get("Location")), Body: body}
}

// failure is why there is no answer, without the addresses of its connection, which are others each time.
func failure(err error) string {
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		return "none in time"
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection was closed"
	}
	return "the connection failed"
}

// bodyOf reads a body; of one that is longer than what is compared, its digest.
func bodyOf(response *http.Response) ([]byte, error) {
	var from io.Reader = response.Body
	if response.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(response.Body)
		if err != nil {
			return nil, err
		}
		from = z
	}
	body, err := io.ReadAll(io.LimitReader(from, mostBody+1))
	if err != nil || len(body) <= mostBody {
		return body, err
	}
	sum := sha256.New()
	sum.Write(body)
	// A stream without an end is a digest of its beginning.
	n, err := io.Copy(sum, io.LimitReader(from, 16*mostBody))
	return fmt.Appendf(nil, "%d bytes, sha256 %x", int64(len(body))+n, sum.Sum(nil)), err
}
