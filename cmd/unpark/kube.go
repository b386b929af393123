package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/kube"
	"github.com/unpark-go/unpark/internal/kube/manifest"
)

// kubeFlags are those of `unpark kube run`.
type kubeFlags struct {
	load   loadFlags
	output outputFlags
	config kube.Config
	creds  string
	print  bool
	dry    bool
}

func newKube(s streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "kube",
		Short: "Load and capture a workload of Kubernetes from pods beside it",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newKubeRun(s), newKubePod(s), newKubeHandover(s))
	return c
}

func newKubeRun(s streams) *cobra.Command {
	var k kubeFlags
	c := &cobra.Command{
		Use:   "run [flags] KIND/NAME",
		Short: "Load a workload from pods on other nodes, capture all of its pods, say what limits it",
		Long: `Load a workload of Kubernetes from pods on other nodes, capture all of its pods in one
window, say what limits it. All of it goes through your kubectl, with your rights.

  unpark kube run deploy/checkout --image IMAGE --rate poisson:20000/s --agents 4
  unpark kube run deploy/checkout --image IMAGE --url /checkout --print
  unpark kube run service/checkout --image IMAGE --connections 400 --port http
  unpark kube run sts/store --image IMAGE --allow-attach      pods without an endpoint

What will be done is said first. --dry-run then asks the cluster whether it would do it, --print
writes the objects. The pods of a run need no rights in the cluster and can reach the target, the
name servers and each other alone. Everything that was made is removed at the end and on Ctrl-C,
and by the cluster itself within --ttl when unpark is gone.

Pods are captured through the endpoint that their annotations profiles.grafana.com/… name, all
kinds of it. --allow-attach reads the others from an ephemeral container, which takes SYS_PTRACE.

Rights, objects and limits: docs/kube.md`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return k.run(c, s, args[0]) },
	}
	k.load.register(c)
	k.output.register(c)
	k.register(c)
	return c
}

func (k *kubeFlags) register(c *cobra.Command) {
	f := c.Flags()
	f.Lookup("url").Usage = "path of the target to request, such as /checkout; repeatable, with a weight as 9*/checkout"
	f.Duration("trace", investigate.Defaults().Trace, "execution trace after the window, 0 for none; unless it is given, by how busy the service is")
	g := &k.config
	f.StringVar(&g.Context, "context", "", "`context` of kubectl (the current one)")
	f.StringVarP(&g.Namespace, "namespace", "n", "", "`namespace` of the target (that of the context)")
	f.StringVar(&g.Image, "image", "", "`image` with unpark, which the cluster can pull: see Containerfile")
	f.StringArrayVar(&g.PullSecrets, "pull-secret", nil, "`secret` with credentials of the image's registry; repeatable")
	f.IntVar(&g.Agents, "agents", 1, "pods that load")
	f.StringVar(&g.AgentCPU, "agent-cpu", "2", "cores of an agent, whole ones")
	f.StringVar(&g.AgentMemory, "agent-memory", "512Mi", "memory of an agent")
	f.StringToStringVar(&g.NodeSelector, "node-selector", nil, "`label=value` of the nodes for agents and coordinator")
	f.BoolVar(&g.ShareNodes, "share-nodes", false, "agents may be on nodes of the target where there are no others")
	f.DurationVar(&g.TTL, "ttl", 30*time.Minute, "the cluster ends the run after so long, whatever happens")
	f.StringVar(&g.Port, "port", "", "port of the service, or of the pods where there is none, by name or number")
	f.StringVar(&g.Scheme, "scheme", "", "http, https or grpc (by the port's name)")
	f.StringVar(&g.Container, "container", "", "with --allow-attach: the service's `container` where a pod has several")
	f.BoolVar(&g.Attach, "allow-attach", false, "read pods without an endpoint from an ephemeral container")
	f.StringVar(&g.NATS, "nats", "", "`URL` of your own NATS (the coordinator's)")
	f.StringVar(&k.creds, "creds", "", "`file` with the credentials for --nats")
	f.BoolVar(&k.print, "print", false, "write the objects as YAML and make none")
	f.BoolVar(&k.dry, "dry-run", false, "have the cluster check rights and objects and make none")
	c.MarkFlagsMutuallyExclusive("print", "dry-run")
}

// ofThisMachine are flags that name files of this machine, or what only it can answer.
func ofThisMachine() []string {
	return []string{"body-file", "targets", "values", "arrivals", "protoset", "proto", "proto-path", "i-may-load"}
}

// check refuses what cannot be run, before the cluster is asked anything.
func (k *kubeFlags) check(ctx context.Context, c *cobra.Command, target string) error {
	if _, _, err := kube.Kind(target); err != nil {
		return usage("%w", err)
	}
	g := &k.config
	switch {
	case g.Image == "":
		return usage("which image? Build one of the project's Containerfile, push it to where the cluster pulls from, and name it with --image")
	case g.Agents < 1 || g.Agents > 1000:
		return usage("--agents %d: name 1 to 1000", g.Agents)
	case g.Scheme != "" && !slices.Contains([]string{"http", "https", "grpc"}, g.Scheme):
		return usage("--scheme %q: it is http, https or grpc", g.Scheme)
	case (k.creds == "") != (g.NATS == ""):
		return usage("--nats and --creds go together: your own NATS, and the file with the credentials that agents and coordinator have there")
	}
	for _, name := range ofThisMachine() {
		if c.Flags().Changed(name) {
			return usage("--%s names something of this machine, and the load is driven in the cluster: give the requests by --url, --method, --header and --body", name)
		}
	}
	// The flags are checked here and used there: the address is not known yet.
	plan := k.load
	plan.urls = []string{"http://127.0.0.1/"}
	plan.unasked = true
	p, err := plan.plan(ctx)
	if err != nil {
		return err
	}
	plan.fit(&p)
	if needs := kube.Needs(time.Duration((p.Warmup + p.Duration) * float64(time.Second))); g.TTL < needs {
		return usage("--ttl %s: this load needs %s with starting and judging: name that or more", g.TTL, needs)
	}
	return nil
}

func (k *kubeFlags) run(c *cobra.Command, s streams, target string) error {
	if err := k.check(c.Context(), c, target); err != nil {
		return err
	}
	g := k.config
	g.Target, g.URLs, g.Fleet, g.Progress = target, k.load.urls, kubeFleet, s.err
	g.Dir = k.output.dir()
	g.Tell = func(line string) { fmt.Fprintln(s.err, line) }
	g.Load = passed(c)
	if k.creds != "" {
		text, err := os.ReadFile(k.creds)
		if err != nil {
			return fmt.Errorf("read the credentials for NATS: %w: check --creds", err)
		}
		g.Files = map[string]string{manifest.CredentialKey: string(text)}
	}
	plan, err := kube.Prepare(c.Context(), g)
	switch {
	case err != nil:
		return err
	case k.print:
		return plan.Print(s.out)
	}
	if err := plan.Check(c.Context()); err != nil {
		return err
	}
	if k.dry {
		fmt.Fprintln(s.err, "the cluster would make all of it; nothing was made")
		return nil
	}
	result, err := plan.Run(c.Context())
	return k.report(s, result, err)
}

// report prints the run that was fetched, like one of this machine.
func (k *kubeFlags) report(s streams, result kube.Result, err error) error {
	if result.Dir == "" {
		return err
	}
	outcome, opened := investigate.Open(result.Dir)
	if opened != nil {
		return errors.Join(err, opened)
	}
	if err == nil && result.Status != exitOK && result.Status != exitVoid {
		err = fmt.Errorf("the coordinator ended with exit status %d: %s", result.Status, result.Said)
	}
	if err != nil {
		return k.output.failed(s, outcome, err)
	}
	if err := k.output.print(s, outcome); err != nil {
		return err
	}
	if outcome.Run.IsVoid() {
		return status{exitVoid, errors.New("the run is void: " + outcome.Run.Void[0].Message)}
	}
	return nil
}

// passed are the flags of the load that were given, for the coordinator.
func passed(c *cobra.Command) []string {
	var l loadFlags
	known := &cobra.Command{}
	l.register(known)
	var out []string
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Name == "url" || f.Name != "trace" && known.Flags().Lookup(f.Name) == nil {
			return
		}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			for _, v := range list.GetSlice() {
				out = append(out, "--"+f.Name+"="+v)
			}
			return
		}
		out = append(out, "--"+f.Name+"="+f.Value.String())
	})
	return out
}
