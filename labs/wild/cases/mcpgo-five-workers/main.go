// A helpdesk whose answers come from tools: each question is a call of a tool, over a session of the Model Context Protocol, and the tool asks
// the firm's archive, a process elsewhere, which looks for 4 ms.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"wild/service"
)

// archive is asked by the tool.
type archive struct {
	address string
	client  *http.Client
}

func (a *archive) look(ctx context.Context, call mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	word, err := call.RequireString("word")
	if err != nil {
		return mcp.NewToolResultError(err.Error()), nil
	}
	resp, err := a.client.Get("http://" + a.address + "/articles/" + word)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultText(string(text)), nil
}

// desk has a session with its tools.
type desk struct{ tools *client.Client }

func open(ctx context.Context, address string) (*desk, error) {
	a := &archive{address, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}}
	s := server.NewMCPServer("archive", "1.0")
	s.AddTool(mcp.NewTool("look", mcp.WithString("word", mcp.Required())), a.look)
	stdio := server.NewStdioServer(s)
	stdio.SetErrorLogger(log.New(io.Discard, "", 0))
	if service.After() {
		server.WithWorkerPoolSize(64)(stdio)
	}
	toServer, fromDesk := io.Pipe()
	toDesk, fromServer := io.Pipe()
	go func() { log.Println(stdio.Listen(ctx, toServer, fromServer)) }()
	c := client.NewClient(transport.NewIO(toDesk, fromDesk, io.NopCloser(&emptyReader{})))
	if err := c.Start(ctx); err != nil {
		return nil, err
	}
	var in mcp.InitializeRequest
	in.Params.ProtocolVersion = mcp.LATEST_LEGACY_PROTOCOL_VERSION
	in.Params.ClientInfo = mcp.Implementation{Name: "desk", Version: "1.0"}
	_, err := c.Initialize(ctx, in)
	return &desk{c}, err
}

// emptyReader is what the tools have to say beside answers.
type emptyReader struct{}

func (emptyReader) Read([]byte) (int, error) { return 0, io.EOF }

func (d *desk) serve(w http.ResponseWriter, r *http.Request) {
	var call mcp.CallToolRequest
	call.Params.Name = "look"
	call.Params.Arguments = map[string]any{"word": r.PathValue("word")}
	found, err := d.tools.CallTool(r.Context(), call)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(found.Content)
}

func main() {
	if os.Getenv("ROLE") == "archive" {
		articles()
		return
	}
	d, err := open(context.Background(), service.Beside("archive"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /questions/{word}", d.serve)
	service.Run(mux)
}

// articles are the archive's.
func articles() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /articles/{word}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(4 * time.Millisecond)
		fmt.Fprintf(w, "What we know of %s fills %d pages.", r.PathValue("word"), len(r.PathValue("word")))
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
