package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark/internal/investigate"
)

func newVersion(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := investigate.BuildVersion()
			fmt.Fprintf(s.out, "unpark %s %s\n", v.Version, v.Go)
			return nil
		},
	}
}
