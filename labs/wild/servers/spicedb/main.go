// Command spicedb is the SpiceDB permissions database.
package main

import (
	"os"

	"github.com/authzed/spicedb/pkg/cmd"
	"github.com/authzed/spicedb/pkg/cmd/server"
	"google.golang.org/grpc/balancer"
)

func main() {
	balancer.Register(server.ConsistentHashringBuilder)
	root, err := cmd.BuildRootCommand()
	if err != nil {
		os.Exit(1)
	}
	if err := root.Execute(); err != nil {
		os.Exit(1)
	}
}
