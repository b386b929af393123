// Command rclone is rclone with its local backend and the commands that serve files; the
// other backends and commands are left out, for they take most of the time of a build.
package main

import (
	_ "github.com/rclone/rclone/backend/local"
	"github.com/rclone/rclone/cmd"
	_ "github.com/rclone/rclone/cmd/serve/webdav"
)

func main() { cmd.Main() }
