package kubectl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/unpark-go/unpark/internal/escape"
)

// Client is one kubectl with one context and namespace.
type Client struct {
	Path      string
	Context   string // empty: in a pod, or none
	Namespace string
	Version   string // of kubectl, without the v; empty when it does not tell
	Server    string // of the cluster, as Version
}

// perCall is how long one answer may take, and ended how long kubectl may take to end.
const (
	perCall = 60 * time.Second
	ended   = 5 * time.Second
)

// Find looks for kubectl in PATH and asks for its versions, context and namespace; names that
// are given are kept. The error is a *Failure when kubectl was found.
func Find(ctx context.Context, contextName, namespace string) (*Client, error) {
	path, err := exec.LookPath("kubectl")
	if err != nil {
		return nil, fmt.Errorf("find kubectl: %w: install it (https://kubernetes.io/docs/tasks/tools/), or add its folder to PATH; unpark has no client of its own", err)
	}
	c := &Client{Path: path, Context: contextName, Namespace: namespace}
	var view struct {
		Current  string `json:"current-context"`
		Contexts []struct {
			Context struct {
				Namespace string `json:"namespace"`
			} `json:"context"`
		} `json:"contexts"`
	}
	// Without a current context this fails; kubectl then uses the pod that it runs in, or tells
	// that there is no server with the next question.
	if err := c.Get(ctx, &view, "config", "view", "--minify"); err != nil && contextName != "" {
		return nil, err
	}
	if c.Context == "" {
		c.Context = view.Current
	}
	if c.Namespace == "" && len(view.Contexts) > 0 {
		c.Namespace = view.Contexts[0].Context.Namespace
	}
	if c.Namespace == "" {
		c.Namespace = "default"
	}
	var versions struct {
		Client version `json:"clientVersion"`
		Server version `json:"serverVersion"`
	}
	if err := c.Get(ctx, &versions, "version"); err != nil {
		return nil, err
	}
	c.Version, c.Server = versions.Client.String(), versions.Server.String()
	return c, nil
}

// String is the first line that a user reads.
func (c *Client) String() string {
	or := func(s, unknown string) string {
		if s == "" {
			return unknown
		}
		return escape.Prose(s)
	}
	return fmt.Sprintf("kubectl %s (cluster %s), context %s, namespace %s",
		or(c.Version, "of unknown version"), or(c.Server, "of unknown version"), or(c.Context, "none"), escape.Prose(c.Namespace))
}

// Get runs kubectl, bounded in time, and decodes the JSON that it prints.
func (c *Client) Get(ctx context.Context, into any, args ...string) error {
	return c.Send(ctx, nil, into, args...)
}

// Send is Get with what kubectl reads.
func (c *Client) Send(ctx context.Context, in []byte, into any, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, perCall)
	defer cancel()
	if into != nil {
		args = append(args, "--output=json")
	}
	var out bytes.Buffer
	if err := c.Run(ctx, bytes.NewReader(in), &out, args...); err != nil {
		return err
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(out.Bytes(), into); err != nil {
		return fmt.Errorf("read the answer of %s: %w: another program of this name in PATH? %s", c.line(args), err, c.Path)
	}
	return nil
}

// Run runs kubectl until it ends or ctx does. in and out may be nil. An error of kubectl is a *Failure.
func (c *Client) Run(ctx context.Context, in io.Reader, out io.Writer, args ...string) error {
	cmd := exec.CommandContext(ctx, c.Path, c.flags(args)...) //nolint:gosec // the user's own kubectl
	cmd.Env = append(os.Environ(), "LC_ALL=C")                // its words are read
	cmd.Stdin, cmd.Stdout = in, out
	var said tail
	cmd.Stderr = &said
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = ended
	apart(cmd)
	err := cmd.Run()
	if err == nil {
		return nil
	}
	if ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ctx.Err()
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return explain(c, args, said.String(), err)
}

// flags puts context and namespace behind the words that name what to do, and before what a
// pod is to run.
func (c *Client) flags(args []string) []string {
	var own []string
	if c.Context != "" {
		own = append(own, "--context="+c.Context)
	}
	if c.Namespace != "" {
		own = append(own, "--namespace="+c.Namespace)
	}
	for i, a := range args {
		if a == "--" {
			return append(append(append([]string{}, args[:i]...), own...), args[i:]...)
		}
	}
	return append(append([]string{}, args...), own...)
}

type version struct {
	GitVersion string `json:"gitVersion"`
}

func (v version) String() string {
	if len(v.GitVersion) > 1 && v.GitVersion[0] == 'v' {
		return v.GitVersion[1:]
	}
	return v.GitVersion
}

// tail keeps the end of what is written to it.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	const most = 8 << 10
	t.text = append(t.text, p...)
	if over := len(t.text) - most; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return string(t.text) }
