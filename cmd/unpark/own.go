package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark/internal/investigate"
)

// ownFlag is a list of patterns of modules, each checked as it comes.
type ownFlag struct{ all *[]string }

// registerOwn adds the flag that names own modules.
func registerOwn(c *cobra.Command, own *[]string) {
	c.Flags().Var(ownFlag{own}, "own", "`pattern` of modules that are yours as the main one is, such as github.com/acme/...; repeatable (known are those of its workspace and of its organisation, and those replaced by a folder)")
}

func (f ownFlag) Set(text string) error {
	if err := investigate.CheckOwn([]string{text}); err != nil {
		return err
	}
	*f.all = append(*f.all, text)
	return nil
}

func (f ownFlag) String() string {
	if f.all == nil {
		return ""
	}
	return strings.Join(*f.all, " ")
}

func (f ownFlag) Type() string { return "pattern" }
