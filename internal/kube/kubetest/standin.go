// Package kubetest stands in for kubectl and a cluster in tests. A [Cluster] is a file that says
// what there is and how each look at a run finds its pods; [Main] answers as kubectl does, in words
// that were recorded of kubectl 1.32 with Kubernetes 1.37. What was created and called is kept beside it.
package kubetest

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/unpark-go/unpark/internal/kube/parcel"
)

// Cluster is what the stand-in knows.
type Cluster struct {
	Objects  map[string]any `json:"objects"`  // by kind/name: what get answers
	Services []any          `json:"services"` // of the namespace
	Pods     []any          `json:"pods"`     // of the target
	Answers  []Answer       `json:"answers"`  // come before all else
	Looks    [][]Pod        `json:"looks"`    // the pods of the run at each look; the last goes on. nil: all is well
	Cut      int            `json:"cut"`      // so many transfers break off
	End      parcel.End     `json:"end"`      // of the run; its directory is "run" beside the file
}

// Answer is what a call prints whose words match, joined by blanks.
type Answer struct {
	Call   string `json:"call"` // a regular expression
	Skip   int    `json:"skip"` // so many calls are not answered by it
	Times  int    `json:"times"`
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
	Exit   int    `json:"exit"`
}

// Pod is one of a run.
type Pod struct {
	Agent    int            `json:"agent"` // from 1; 0: the coordinator
	Status   map[string]any `json:"status"`
	Deleting bool           `json:"deleting"`
}

// Dir is where the stand-in looks for its files.
func Dir() string { return filepath.Join(os.TempDir(), "cluster") }

// Main is kubectl.
func Main() { os.Exit(answer(os.Args[1:])) }

func answer(args []string) int {
	var c Cluster
	text, err := os.ReadFile(filepath.Join(Dir(), "cluster.json"))
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "stand-in for kubectl:", err)
		return 9
	}
	call := strings.Join(args, " ")
	record("calls", call)
	for i, a := range c.Answers {
		if !regexp.MustCompile(a.Call).MatchString(call) {
			continue
		}
		n := record(fmt.Sprint("answer-", i), call)
		if n <= a.Skip || a.Times > 0 && n > a.Skip+a.Times {
			continue
		}
		fmt.Fprint(os.Stdout, a.Stdout)
		fmt.Fprint(os.Stderr, a.Stderr)
		return a.Exit
	}
	if args[0] == "exec" {
		return c.hand(call)
	}
	return c.usual(args, call)
}

func (c *Cluster) usual(args []string, call string) int {
	verb, what := args[0], ""
	if len(args) > 1 {
		what = args[1]
	}
	switch {
	case verb == "config":
		return show(map[string]any{"current-context": "test", "contexts": []any{map[string]any{"context": map[string]any{"namespace": "shop"}}}})
	case verb == "version":
		return show(map[string]any{"clientVersion": map[string]any{"gitVersion": "v1.32.4"}, "serverVersion": map[string]any{"gitVersion": "v1.37.2"}})
	case verb == "auth":
		fmt.Println("yes")
	case verb == "create" && strings.Contains(call, "--dry-run=server"):
		_, _ = io.Copy(io.Discard, os.Stdin)
	case verb == "create":
		return create()
	case verb == "debug":
		for _, a := range args {
			if name, ok := strings.CutPrefix(a, "--custom="); ok {
				text, _ := os.ReadFile(name)
				record("debug", string(text))
			}
		}
	case verb == "logs":
		if strings.Contains(call, "--since=") {
			wait()
			return 1
		}
		fmt.Println("window      15s")
		fmt.Println("a \x1b[31mtrick")
	case verb == "delete":
		record("deleted", call)
	case verb == "get" && what == "services":
		return show(map[string]any{"items": c.Services})
	case verb == "get" && what == "events":
		return show(map[string]any{"items": []any{}})
	case verb == "get" && strings.Contains(call, "app.kubernetes.io/instance="):
		return c.look(call)
	case verb == "get" && what == "pods":
		return show(map[string]any{"items": c.Pods})
	case verb == "get" && len(args) > 2 && c.Objects[what+"/"+args[2]] != nil:
		return show(c.Objects[what+"/"+args[2]])
	case verb == "get" && len(args) > 2:
		fmt.Fprintf(os.Stderr, "Error from server (NotFound): %ss %q not found\n", what, args[2])
		return 1
	default:
		fmt.Fprintf(os.Stderr, "error: unknown command %q for \"kubectl\"\n", verb)
		return 1
	}
	return 0
}

// create keeps what is made, and answers with the first object as the server returns it.
func create() int {
	text, err := io.ReadAll(os.Stdin)
	var list struct {
		Items []map[string]any `json:"items"`
	}
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error: error parsing STDIN:", err)
		return 1
	}
	for _, o := range list.Items {
		line, _ := json.Marshal(o)
		record("created", string(line))
	}
	meta, _ := list.Items[0]["metadata"].(map[string]any)
	meta["uid"] = "f1e2d3c4-0000-4000-8000-000000000001"
	return show(list.Items[0])
}

// look is one look at the pods of the run; after a removal there are none.
func (c *Cluster) look(call string) int {
	if _, err := os.Stat(filepath.Join(Dir(), "deleted")); err == nil || !strings.Contains(call, "get pods") {
		return show(map[string]any{"items": []any{}})
	}
	looks := c.Looks
	if looks == nil {
		looks = usualLooks()
	}
	n := record("looks", call)
	run := regexp.MustCompile(`instance=(\S+)`).FindStringSubmatch(call)[1]
	items := []any{}
	for _, p := range looks[min(n, len(looks))-1] {
		component, name := "coordinator", run+"-x1y2z"
		if p.Agent > 0 {
			component, name = "agent", fmt.Sprintf("%s-agents-%d-x1y2z", run, p.Agent-1)
		}
		meta := map[string]any{"name": name, "labels": map[string]string{"app.kubernetes.io/component": component}}
		if p.Deleting {
			meta["deletionTimestamp"] = "2026-01-02T15:04:05Z"
		}
		items = append(items, map[string]any{"metadata": meta, "status": p.Status})
	}
	return show(map[string]any{"items": items})
}

func usualLooks() [][]Pod {
	pending, running := map[string]any{"phase": "Pending"}, map[string]any{"phase": "Running"}
	ready := map[string]any{"phase": "Running", "conditions": []any{map[string]string{"type": "Ready", "status": "True"}}}
	return [][]Pod{
		{},
		{{Status: pending}, {Agent: 1, Status: pending}, {Agent: 2, Status: pending}},
		{{Status: running}, {Agent: 1, Status: running}, {Agent: 2, Status: running}},
		{{Status: ready}, {Agent: 1, Status: running}, {Agent: 2, Status: running}},
	}
}

// hand is what unpark does in the pod.
func (c *Cluster) hand(call string) int {
	end := c.End
	end.Partial = end.Partial || strings.Contains(call, "--interrupt")
	if record("hands", call) <= c.Cut {
		read, write := io.Pipe()
		go func() { _ = write.CloseWithError(parcel.Pack(write, filepath.Join(Dir(), "run"), end)) }()
		_, _ = io.CopyN(os.Stdout, read, 700)
		fmt.Fprintln(os.Stderr, "error: stream error: stream ID 3; INTERNAL_ERROR; received from peer")
		return 1
	}
	if err := parcel.Pack(os.Stdout, filepath.Join(Dir(), "run"), end); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// record adds a line to a file and returns how many it has.
func record(name, line string) int {
	name = filepath.Join(Dir(), name)
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Fprintln(f, strings.ReplaceAll(line, "\n", " "))
	text, _ := os.ReadFile(name)
	return strings.Count(string(text), "\n")
}

// Recorded returns the lines of "calls", "created", "deleted" or "debug".
func Recorded(name string) []string {
	text, _ := os.ReadFile(filepath.Join(Dir(), name))
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(s string) bool { return s == "" })
}

func show(v any) int {
	if err := json.NewEncoder(os.Stdout).Encode(v); err != nil {
		return 1
	}
	return 0
}

// wait is a call that goes on until it is told to end.
func wait() {
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	select {
	case <-interrupted:
	case <-time.After(time.Minute):
	}
}
