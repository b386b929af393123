// Command openfga is the OpenFGA authorization server.
package main

import (
	"os"

	"github.com/openfga/openfga/cmd"
	"github.com/openfga/openfga/cmd/run"
)

func main() {
	root := cmd.NewRootCommand()
	root.AddCommand(run.NewRunCommand())
	if err := root.Execute(); err != nil {
		os.Exit(1)
	}
}
