// Command mailpit is Mailpit: a mail server for tests, which keeps what it gets in SQLite.
package main

import "github.com/axllent/mailpit/cmd"

func main() { cmd.Execute() }
