package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// newMan is for those who package unpark: the archives of a release have its
// pages already.
func newMan() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages into a folder",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("write manual pages: %w: name a folder that can be written", err)
			}
			root := c.Root()
			root.DisableAutoGenTag = true // a page follows from the commands alone
			// The date is that of SOURCE_DATE_EPOCH, where it is set.
			header := &doc.GenManHeader{Title: "UNPARK", Section: "1", Source: "unpark", Manual: "unpark manual"}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return fmt.Errorf("write manual pages into %s: %w", args[0], err)
			}
			return nil
		},
	}
}
