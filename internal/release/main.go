// Command release makes a release of the repository's three modules, or tries
// to make one without leaving anything behind.
//
//	release make VERSION      commit, tags, and archives in -out
//	release try VERSION       the same without the commit and the tags
//	release rebuild VERSION   the archives of a release that has its tags
//
// It works on a copy of the commit's files, so that a release that fails leaves the
// tree as it was. The steps:
//
//  1. What would make a release that cannot be taken back is refused: a tree
//     with changes, a version that is none or not the next, a tag that exists.
//  2. The modules are made to ask for each other at VERSION (modules.go). The
//     sums of the tool and of the probe are those of the zip files that the go
//     command will make of the tagged commit, so one commit can hold them all.
//  3. A file-system module proxy is written from the tree (proxy.go), and `go
//     install …@VERSION` is run from it, in an empty folder, for each platform:
//     archives hold the very bytes that users get from go install -trimpath. A
//     program that imports the probe is built from it as well (prove.go).
//  4. The archives are written, the same bytes each time (archive.go).
//  5. The commit is made, and the tags in the order in which the modules need
//     each other: probe, tool, labs (git.go).
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release: "+err.Error())
		os.Exit(1)
	}
}

// platforms that archives are made for, unless -platforms says otherwise.
const platforms = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

func run(args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New("what to do is not given: release make|try|rebuild VERSION")
	}
	r := release{out: out}
	flags := flag.NewFlagSet("release "+args[0], flag.ContinueOnError)
	flags.StringVar(&r.root, "root", ".", "root of the repository")
	flags.StringVar(&r.dist, "out", "dist", "folder for the archives; must not exist")
	list := flags.String("platforms", platforms, "GOOS/GOARCH of the archives, separated by commas")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("%s takes one version, not %q: give one such as v0.1.0, after the flags", args[0], flags.Args())
	}
	r.version = flags.Arg(0)
	r.platforms = strings.Split(*list, ",")
	for _, dir := range []*string{&r.root, &r.dist} {
		abs, err := filepath.Abs(*dir)
		if err != nil {
			return fmt.Errorf("%s: %w", *dir, err)
		}
		*dir = abs
	}
	switch args[0] {
	case "make":
		return r.make()
	case "try":
		return r.try()
	case "rebuild":
		return r.rebuild()
	}
	return fmt.Errorf("%s is nothing that can be done: release make|try|rebuild VERSION", args[0])
}
