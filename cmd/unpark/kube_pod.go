package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark/internal/kube"
	"github.com/unpark-go/unpark/internal/kube/manifest"
)

// newKubePod is what the coordinator's pod runs.
func newKubePod(s streams) *cobra.Command {
	server := kube.Server{Version: buildVersion().Version, Log: s.err}
	c := &cobra.Command{
		Use:    "pod --orders FILE",
		Short:  "Run what the orders say and hand the run over (in the coordinator's pod)",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			command, err := os.Executable()
			if err != nil {
				return fmt.Errorf("find unpark itself: %w", err)
			}
			server.Command = command
			return kube.Serve(c.Context(), server)
		},
	}
	c.Flags().StringVar(&server.Orders, "orders", manifest.CredentialDir+"/orders.json", "`file` with the orders")
	c.Flags().StringVar(&server.Ready, "ready", ":"+strconv.Itoa(manifest.ReadyPort), "`address` that is open when there is something to fetch")
	return c
}

// newKubeHandover is what kubectl executes in that pod.
func newKubeHandover(s streams) *cobra.Command {
	var dir string
	var interrupt bool
	c := &cobra.Command{
		Use:    "handover",
		Short:  "Write the run of this pod to standard output (in the coordinator's pod)",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE:   func(c *cobra.Command, _ []string) error { return kube.Take(c.Context(), dir, interrupt, s.out) },
	}
	c.Flags().StringVar(&dir, "dir", manifest.RunsDir, "`folder` of the run directory")
	c.Flags().BoolVar(&interrupt, "interrupt", false, "end the run first")
	return c
}
