package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark/internal/project"
	"github.com/unpark-go/unpark/internal/survey"
)

func newInit(s streams) *cobra.Command {
	var show bool
	c := &cobra.Command{
		Use:   "init [FOLDER]",
		Short: "Write unpark.yaml for a repository, so that run, ab, check and load need no flags",
		Long: `Look at a repository and write unpark.yaml: what to build, with which arguments,
what to request, what is yours, a budget and what to compare with. Everything is
read from the source; nothing is built, started, downloaded or overwritten.

  unpark init              for the service in this folder, or below it
  unpark init --print      only print the file
  unpark run               what limits it? finds the file in this folder or above it

It prints what it found and what it could not read, and asks nothing. What it cannot
know stands in the file as ` + project.FillIn + `, and the first line says what to fill in.

Exit status: 0 written, 1 failed, 2 usage.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			return initialize(c, s, dir, show)
		},
	}
	c.Flags().BoolVar(&show, "print", false, "print the file on standard output, and write none")
	return c
}

func initialize(c *cobra.Command, s streams, dir string, show bool) error {
	name := filepath.Join(dir, project.FileName)
	there := fmt.Errorf("write %s: it is there already, and nothing is ever overwritten: edit it, see what would be written with `unpark init --print`, or move it away first", name)
	if _, err := os.Lstat(name); err == nil && !show {
		return there
	}
	found, err := survey.Look(c.Context(), dir)
	if err != nil {
		return err
	}
	draft := found.Draft()
	if draft.Program == nil {
		return fmt.Errorf("look at %s: there is no program (package main) in it or below: go to the folder of the service, or name it: unpark init ../service", dir)
	}
	if show {
		_, err := io.WriteString(s.out, draft.Text)
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // it is for the repository, and holds no secret
	if errors.Is(err, fs.ErrExist) {
		return there
	}
	if err == nil {
		_, err = f.WriteString(draft.Text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return printSurvey(s.out, name, found, draft)
}

// printSurvey says what was found, what was not, and what comes next.
func printSurvey(w io.Writer, name string, found survey.Survey, d survey.Draft) error {
	var b strings.Builder
	fmt.Fprintf(&b, "wrote %s\n\n", name)
	rows := surveyed(found, d)
	rows.print(&b)
	if len(d.Open) > 0 {
		b.WriteString("\nFILL IN\n")
		for _, open := range d.Open {
			fmt.Fprintf(&b, "  ! %s\n", open)
		}
		b.WriteString("\nthen      unpark run\n")
	} else {
		b.WriteString("\nnext      unpark run\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// surveyed is the table of what was found.
func surveyed(found survey.Survey, d survey.Draft) table {
	p := d.Program
	rows := table{{"package", p.Package, others(len(found.Programs)-1, "other program")}}
	args := "none"
	if len(d.Args) > 0 {
		args = strings.Join(d.Args, " ")
	}
	if len(d.Required) == 0 {
		rows = append(rows, []string{"args", args, ""})
	}
	for i, why := range d.Required {
		rows = append(rows, []string{[]string{"args", ""}[min(i, 1)], []string{args, ""}[min(i, 1)], why})
	}
	switch {
	case d.Address != nil && d.Address.Flag != "":
		rows = append(rows, []string{"address", d.Address.Host + ":" + d.Address.Port, d.Address.Flag + ", " + d.Address.Place})
	case d.Address != nil:
		rows = append(rows, []string{"address", d.Address.Host + ":" + d.Address.Port, d.Address.Place})
	default:
		rows = append(rows, []string{"address", "not read", "the port that the service opens is asked"})
	}
	switch {
	case d.Loaded != nil:
		rows = append(rows, []string{"loaded", method(d.Loaded.Method) + " " + d.Loaded.Path, d.Loaded.Place})
	case len(d.Open) > 0 && strings.HasPrefix(d.Open[len(d.Open)-1], "urls"):
		rows = append(rows, []string{"loaded", "nothing yet", "see below"})
	default:
		rows = append(rows, []string{"loaded", "GET /", "no route could be read"})
	}
	if n := len(p.Routes) - 1; n > 0 {
		rows = append(rows, []string{"routes", others(n, "other"), "in the file, as comments: give them the weights of your traffic"})
	}
	if n := len(p.Unread); n > 0 {
		rows = append(rows, []string{"not read", count(n, "route"), "no constant pattern: " + few(p.Unread)})
	}
	if p.GRPC != "" {
		rows = append(rows, []string{"gRPC", "a server", p.GRPC + ": grpc://host:port/package.Service/Method"})
	}
	if p.Pprof != "" {
		rows = append(rows, []string{"pprof", "net/http/pprof", p.Pprof + ": beside it the probe is added"})
	}
	rows = append(rows, []string{"own", strings.Join(found.Modules[:min(3, len(found.Modules))], ", "), others(len(found.Modules)-3, "other module")})
	if found.Revision != "" {
		rows = append(rows, []string{"baseline", found.Revision, "`unpark ab` compares the working tree with it"})
	} else {
		rows = append(rows, []string{"baseline", "none", "no git branch main or master: `unpark ab` wants --before and --after"})
	}
	if len(found.Unread) > 0 {
		rows = append(rows, []string{"not read", count(len(found.Unread), "file"), few(found.Unread)})
	}
	return rows
}

func method(name string) string {
	if name == "" {
		return "GET"
	}
	return name
}

// count says how many there are of something.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// others says how many more there are; nothing where there are none.
func others(n int, what string) string {
	if n <= 0 {
		return ""
	}
	return count(n, what)
}

// few names the first of a list.
func few(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// table is text in columns.
type table [][]string

// print aligns all columns but the last, whose cells are as long as they are.
func (t table) print(b *strings.Builder) {
	const widest = 44
	var widths []int
	for _, row := range t {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if n := ansi.StringWidth(cell); n <= widest {
				widths[i] = max(widths[i], n)
			}
		}
	}
	for _, row := range t {
		line := ""
		for i, cell := range row {
			line += "  " + cell
			if i+1 < len(row) {
				line += strings.Repeat(" ", max(0, widths[i]-ansi.StringWidth(cell)))
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}
