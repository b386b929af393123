// Command esbuild is esbuild's development servers: one for an application that is bundled, one for a folder that is only shown.
package main

import (
	"flag"

	"github.com/evanw/esbuild/pkg/cli"
)

func main() {
	app := flag.String("app", "", "folder of the application, with app.js")
	files := flag.String("files", "", "folder that is shown as it is")
	appAddress := flag.String("app-addr", "127.0.0.1:8000", "where the application is served")
	filesAddress := flag.String("files-addr", "127.0.0.1:8001", "where the folder is shown")
	flag.Parse()

	go cli.Run([]string{"--serve=" + *filesAddress, "--servedir=" + *files, "--log-level=error"})
	cli.Run([]string{
		*app + "/app.js", "--bundle", "--minify", "--sourcemap", "--outdir=" + *app + "/out",
		"--serve=" + *appAddress, "--servedir=" + *app, "--log-level=error",
	})
}
