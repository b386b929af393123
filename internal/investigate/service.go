package investigate

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/target"
	"github.com/unpark-go/unpark/internal/measure/target/build"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
	"github.com/unpark-go/unpark/internal/measure/target/git"
	"github.com/unpark-go/unpark/internal/measure/target/sockets"
)

// service is what is measured: a target that is started here, or one that runs already.
type service struct {
	c         Config
	rec       *record
	target    *target.Target            // nil of one that runs already
	built     *build.Folder             // of a binary that unpark built
	throttled func() confine.Throttling // of a target that unpark did not start; may be nil
	reunite   func()                    // gives this process its processors back; nil when it has them
	beside    bool                      // it is not the one that the load asks: the processors are shared out without it
	loaded    bool                      // load was driven, or a window begun
	local     []int                     // processes of a target on this machine that unpark did not start
}

// start builds and starts the target, and waits until it answers.
func (s *service) start(ctx context.Context) error {
	if s.c.attached() {
		return nil
	}
	command, err := s.command(ctx)
	if err != nil {
		return err
	}
	if err := s.portFree(); err != nil {
		return err
	}
	s.rec.tell(Event{Phase: "start", Detail: strings.Join(unpark.RedactCommand(command), " ")})
	spec := target.Spec{Command: command, Dir: s.c.WorkDir, Env: s.c.Env, Quota: s.c.Quota, Output: s.c.Output}
	if !s.beside {
		spec.CPUs = s.separate()
	}
	spec.Dial = load.Dial(s.c.Plan)
	t, err := target.Start(ctx, spec)
	if err != nil {
		return err
	}
	s.target = t
	ready, cancel := context.WithTimeout(ctx, s.c.Ready)
	defer cancel()
	address := ""
	if len(s.c.Plan.Requests) > 0 {
		address = s.c.Plan.Requests[0].URL
		if after, ok := strings.CutPrefix(address, "grpc"); ok {
			address = "http" + after // what answers that with HTTP/2 is ready as well
		}
	}
	if err := t.WaitReady(ready, address); err != nil {
		return err
	}
	described := t.Describe()
	if described.Package = s.c.Package; s.c.Package != "" {
		described.Revision = git.Source(ctx, filepath.Join(s.c.WorkDir, folderOf(s.c.Package)))
	}
	described.Pprof = s.c.Pprof
	s.rec.run.Target = described.Redacted()
	if len(described.CPUs) == 0 {
		s.onProcessors(confine.Allowed()) // it has those of this process
	}
	if strings.HasPrefix(described.Confinement, "none") && s.c.Quota > 0 {
		s.rec.warn("quota", "the CPU quota was not applied: "+strings.TrimPrefix(described.Confinement, "none: "),
			"run unpark on Linux where it may write cgroups (as root, or in a delegated cgroup), or leave --cpus out")
	}
	return nil
}

// command returns what to start, building the package first if one was named.
func (s *service) command(ctx context.Context) ([]string, error) {
	switch {
	case s.c.Package == "":
		return s.c.Command, nil
	case s.c.Built != "":
		return append([]string{s.c.Built}, s.c.Command...), nil
	}
	s.rec.tell(Event{Phase: "build", Detail: "go build -overlay " + s.c.Package + " (the probe added, sources untouched)"})
	dir, err := build.MakeFolder(s.c.BuildDir)
	if err != nil {
		return nil, err
	}
	s.built = dir
	spec := s.c.build()
	spec.Output = filepath.Join(dir.Path, build.Binary("target"))
	if err := build.Program(ctx, spec); err != nil {
		return nil, err
	}
	return append([]string{spec.Output}, s.c.Command...), nil
}

// folderOf is the folder of a package that is named by one; "" of an import path.
func folderOf(pkg string) string {
	if pkg == "." || pkg == ".." || strings.HasPrefix(pkg, "./") || strings.HasPrefix(pkg, "../") {
		return pkg
	}
	return ""
}

// build is how Package is built; where to is not said.
func (c Config) build() build.Spec {
	return build.Spec{Package: c.Package, Dir: c.WorkDir, Tags: c.Tags}
}

// portFree checks that nothing else answers where the target will be asked.
func (s *service) portFree() error {
	for _, q := range s.c.Plan.Requests {
		if socket, _, ok := unpark.SplitUnix(q.URL); ok {
			if c, err := net.Dial("unix", socket); err == nil {
				_ = c.Close()
				return fmt.Errorf("start the target: another process answers at the socket %s: stop it, or give the target another socket and name it with --url (to measure what runs there, use --pprof without a command)", socket)
			}
			continue
		}
		u, err := url.Parse(q.URL)
		if err != nil || u.Port() == "" {
			continue
		}
		hostport := net.JoinHostPort(u.Hostname(), u.Port())
		if pid, ok := sockets.Listening(hostport); ok && local(hostport) {
			holder := "another user's process"
			if pid != 0 {
				holder = fmt.Sprintf("process %d", pid)
			}
			return fmt.Errorf("start the target: port %s is in use by %s: stop it, or give the target another port and name it with --url (to measure what runs there, use --pprof without a command)", u.Port(), holder)
		}
	}
	return nil
}

// local reports whether an address is on this machine.
func local(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		return false
	}
	if name, err := os.Hostname(); err == nil && host == name {
		return true
	}
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}

func (s *service) died() <-chan struct{} {
	if s.target == nil {
		return nil
	}
	return s.target.Done()
}

// alive tells whether the target died by itself.
func (s *service) alive() error {
	if s.target == nil {
		return nil
	}
	select {
	case <-s.target.Done():
		when := "before there was load"
		if s.loaded {
			when = "under load"
		}
		return fmt.Errorf("the target died %s: %w: %s; its last output:\n%s", when, s.target.ExitError(), s.target.EndCure(), s.target.LastOutput())
	default:
		return nil
	}
}

// stop ends the target, gives this process its processors back and removes what was
// built; safe to call at any point.
func (s *service) stop() error {
	var err error
	if s.target != nil {
		err = s.target.Stop()
		s.target = nil
	}
	if s.reunite != nil {
		s.reunite()
		s.reunite = nil
	}
	if gone := s.built.Remove(); err == nil {
		err = gone
	}
	return err
}

// untilItDies returns a context that ends when the target does: a dead one has nothing
// more to show, and its window ends at once.
func (s *service) untilItDies(ctx context.Context) (context.Context, context.CancelFunc) {
	inside, cancel := context.WithCancel(ctx)
	died := s.died()
	go func() {
		select {
		case <-died:
			cancel()
		case <-inside.Done():
		}
	}()
	return inside, cancel
}
