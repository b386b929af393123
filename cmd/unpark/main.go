// Command unpark tells a Go engineer what limits their service, what fixing each
// cause would buy, and whether the fix did. See `unpark help`.
package main

import "os"

func main() {
	os.Exit(execute(os.Args[1:], os.Stdout, os.Stderr))
}
