// Command tusd is the reference server of tus, the protocol of uploads that can be resumed.
package main

import "github.com/tus/tusd/v2/cmd/tusd/cli"

func main() {
	cli.ParseFlags()
	cli.CreateComposer()
	cli.Serve()
}
