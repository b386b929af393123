package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark/internal/mcp"
)

// mcpFlags are those of `unpark mcp`.
type mcpFlags struct {
	address   string
	tokenFile string
	test      string
}

func newMCP(s streams) *cobra.Command {
	var m mcpFlags
	c := &cobra.Command{
		Use:   "mcp [--http 127.0.0.1:0]",
		Short: "Tools for coding agents over the Model Context Protocol: find, wait, drill, predict, prove, history",
		Long: `Serve six tools of the Model Context Protocol to a program that changes the service in this
folder (docs/agents.md has what to tell it):

  find      start a measurement          wait      how far it is, then its verdict
  drill     one finding in full          predict   what a fix of it would do
  prove     start a proof of a change    history   runs and proofs so far

Without a flag it talks on standard input and output, and ends with the client, as do
the measurements that it started. With --http it listens on an address of this machine
and asks for a token: that of $UNPARK_MCP_TOKEN or --token-file, else a new one, which is
printed on standard error with the URL.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return m.run(c.Context(), s) },
	}
	f := c.Flags()
	f.StringVar(&m.address, "http", "", "`address` of this machine to serve at over HTTP, such as 127.0.0.1:0")
	f.StringVar(&m.tokenFile, "token-file", "", "`file` that holds the token of HTTP")
	f.StringVar(&m.test, "test", "", "`command` that runs the tests, for prove (that of the tree before's unpark.yaml, else go test ./...)")
	return c
}

func (m *mcpFlags) run(ctx context.Context, s streams) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find unpark's own binary, which measures: %w", err)
	}
	server := mcp.New(ctx, mcp.Config{Command: []string{self}, Runs: runsFolder, Test: m.test, Version: buildVersion().Version})
	if m.address == "" {
		if m.tokenFile != "" {
			return usage("--token-file is for --http: over standard input and output there is no token")
		}
		return server.Run(ctx)
	}
	defer server.Stop()
	token, err := m.token()
	if err != nil {
		return err
	}
	return m.serve(ctx, s, server, token)
}

// token is the one that was given, or a new one.
func (m *mcpFlags) token() (string, error) {
	token := os.Getenv(mcp.TokenVariable)
	if m.tokenFile != "" {
		const most = 4 << 10 // bytes
		f, err := os.Open(m.tokenFile)
		if err != nil {
			return "", usage("--token-file: %w", err)
		}
		defer f.Close()
		text, err := io.ReadAll(io.LimitReader(f, most))
		if err != nil {
			return "", usage("--token-file: %w", err)
		}
		if token = strings.TrimSpace(string(text)); token == "" {
			return "", usage("--token-file %s: there is no token in it: write one, such as `openssl rand -hex 16` prints", m.tokenFile)
		}
	}
	if token == "" {
		token = rand.Text()
	}
	return token, nil
}

// serve listens until ctx ends.
func (m *mcpFlags) serve(ctx context.Context, s streams, server *mcp.Server, token string) error {
	host, _, err := net.SplitHostPort(m.address)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return usage("--http %q: it serves this machine alone, because its tools run what they are told to: write 127.0.0.1:0, and reach it from elsewhere through ssh -L", m.address)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", m.address)
	if err != nil {
		return fmt.Errorf("serve over HTTP: %w: name another port, or 0 for any", err)
	}
	shown := ""
	if os.Getenv(mcp.TokenVariable) == "" && m.tokenFile == "" {
		shown = " token " + token
	}
	fmt.Fprintf(s.err, "unpark mcp: http://%s/%s\n", l.Addr(), shown)
	web := &http.Server{Handler: server.Handler(token), ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	ended := context.AfterFunc(ctx, func() { _ = web.Close() })
	defer ended()
	if err := web.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve over HTTP: %w", err)
	}
	return nil
}
