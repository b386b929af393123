//go:build linux

package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/rota"
)

// labLoop is a lab with one fault, as an agent finds it in a folder. The fault is in main.go.
type labLoop struct {
	name, lab string
	// main.go has standard; it is committed with fault in its place (empty: standard is the fault), and the agent writes fix.
	standard, fault, fix string
	args, urls, load     string // of unpark.yaml; {beside} is the port of what runs beside
	beside               string // arguments of a second process of the lab, for the whole loop
	says                 string // in the verdict of find
	class, where         string // of the finding that is the fault, one of the first two; empty: nothing is to be found
	proof                string // empty: it is proven
}

// What a proof says of a change that is none for its callers: it was measured, and did not move. One that can cost something may
// be worse.
const (
	unmoved   = `(?s)^NOT PROVEN +neither ` + measured
	notBetter = `(?s)^NOT PROVEN +(neither |[^\n]* got\s+worse)` + measured
	measured  = `.*BOUND TO.* alike.*not\s+weaker\s+than\s+unpark.yaml\s+of\s+the\s+tree\s+before\s+and\s+run`
)

// labLoops are in the order of their days. The leak of controls is none of them: a proof measures nothing that its fix moves.
// Nor is place's stampede, which costs a third: short rounds on a full machine do not show that.
func labLoops() []labLoop {
	const (
		any0    = "-addr, 127.0.0.1:0"
		lookups = "/lookup/1, /lookup/2, /lookup/3"
		paints  = `500*/place.png, "POST /pixel?x=3&y=5&color=ff4500", "POST /pixel?x=3&y=5&color=0000ea"`
		stocks  = "/stock/7, /stock/8"
		three   = "/1.png, /2.png, /3.png"
	)
	return []labLoop{
		{
			name: "lookup lock", lab: "lookup", standard: `"fixed", false`, fix: `"fixed", true`, args: any0, urls: lookups, load: "connections: 16",
			class: "lock", where: `lookup\.\(\*Cache\)\.Get`,
		},
		{
			name: "lookup garbage", lab: "lookup", standard: "err = serveVariant(ctx", fault: "v.garbage = 24\n\t\terr = serveVariant(ctx", fix: "err = serveVariant(ctx",
			args: any0 + ", -cache, mutex, -hold, 1ms", urls: lookups, load: "connections: 16", class: "cpu|alloc|recompute", where: `main\.rebuilt`,
		},
		// Nearly all of what requests block on is one lock, and it is not the limit.
		{
			name: "catalog lock that is no limit", lab: "catalog", standard: `"pick", "faker"`, fix: `"pick", "index"`, args: any0, urls: "/read", load: "connections: 50",
			says: `blocking .*\n* .*\(\*lockedSource\)\.Int63`, proof: unmoved,
		},
		{
			name: "broker lock", lab: "broker", standard: `"commit", store.Mutex`, fix: `"commit", store.Coalesce`, args: any0, urls: "/v1/cycle", load: "connections: 32",
			class: "lock", where: `store\.\(\*serial\)\.Do`,
		},
		{
			name: "broker disk", lab: "broker", standard: `"commit", store.Mutex`, fault: `"commit", store.Direct`, fix: `"commit", store.Coalesce`, args: any0, urls: "/v1/cycle", load: "connections: 32",
			class: "io", where: `store\.\(\*direct\)`, proof: notBetter,
		},
		{
			name: "place rows", lab: "place", standard: `"stage", "db"`, fix: `"stage", "image"`, args: any0, urls: "/place.png", load: "connections: 16",
			class: "cpu|recompute", where: `main\.\(\*store\)\.each`,
		},
		{
			name: "place picture", lab: "place", standard: "return &fromImage{b}", fix: "return &fromBytes{board: b}", args: any0 + ", -stage, image", urls: paints, load: "connections: 16",
			class: "recompute", where: `main\.encode`,
		},
		{
			name: "place slow clients", lab: "place", standard: `"hazard", ""`, fault: `"hazard", "lock-write"`, fix: `"hazard", ""`,
			args: `-addr, "127.0.0.1:{beside}", -stage, bytes, -width, "256", -height, "256", -send-buffer, "16384"`, urls: "/place.png", load: "connections: 16",
			beside: "-slow http://127.0.0.1:{beside}/place.png", class: "lock", where: `main\.\(\*lockedWrite\)\.send`,
		},
		{
			name: "across own lock", lab: "across", standard: `"fault", ""`, fault: `"fault", "lock"`, fix: `"fault", ""`, args: any0 + `, -inventory, "127.0.0.1:{beside}"`, urls: "/buy/7", load: "connections: 6",
			beside: "-serve inventory -fault= -addr 127.0.0.1:{beside}", class: "lock", where: `main\.\(\*checkout\)\.enter`,
		},
		{
			name: "across price", lab: "across", standard: `"fault", ""`, fault: `"fault", "cpu"`, fix: `"fault", "cpu-fixed"`, args: any0 + ", -serve, inventory", urls: stocks, load: "connections: 6",
			class: "cpu|recompute", where: `main\.price`,
		},
		{
			name: "across pool", lab: "across", standard: `"fault", ""`, fault: `"fault", "pool"`, fix: `"fault", "pool-fixed"`, args: any0 + ", -serve, inventory", urls: stocks, load: "connections: 12",
			class: "pool", where: `main\.\(\*inventory\)\.ask`,
		},
		// A change that takes no work away, of a service that has nothing to mend.
		{
			name: "gate nothing", lab: "gate", standard: `"mutex", 0`, fix: `"mutex", 0+0`, args: any0, urls: "/till/1", load: "rate: 500/s",
			says: `^LIMIT  none · nothing is wrong`, proof: unmoved,
		},
		control("alloc", "/", "connections: 16", "alloc|gc", `main\.pieces`),
		control("recompute", three, "connections: 16", "recompute|cpu", `main\.render`),
		control("chanwait", "/", "connections: 16", "channel", `main\.oneWorker`),
		control("rwmutex", "/", "connections: 16", "lock", `main\.\(\*table\)\.write`),
		control("writes", "/", "connections: 16", "syscall", `main\.smallWrites`),
		control("pool", "/", "connections: 32", "pool", `main\.ask`),
	}
}

// control is a loop of the lab controls, whose fixes are one flag.
func control(mode, urls, load, class, where string) labLoop {
	const build = "h, err := m.build(ctx, s)"
	l := labLoop{
		name: "controls " + mode, lab: "controls", standard: build, fix: fmt.Sprintf("s.fixed = s.fixed || m.name == %q\n\t%s", mode, build),
		args: "-addr, 127.0.0.1:0, -mode, " + mode, urls: urls, load: load, class: class, where: where,
	}
	if mode == "pool" {
		l.args += `, -downstream, "http://127.0.0.1:{beside}"`
		l.beside = "-mode big -addr 127.0.0.1:{beside}"
	}
	return l
}

// TestAgentLabs: the loop on the labs, one a day: find, drill, predict, the lab's fix, prove.
func TestAgentLabs(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("this is an archive of the sources: a lab is cloned")
	}
	all := labLoops()
	for i, l := range all {
		if rota.Long(i, len(all)) {
			t.Run(l.name, func(t *testing.T) {
				t.Parallel()
				l.run(t, root)
			})
		}
	}
}

func (l labLoop) run(t *testing.T, root string) {
	clone := filepath.Join(t.TempDir(), "unpark")
	if out, err := exec.Command("git", "-c", "safe.directory=*", "clone", "--quiet", "--no-hardlinks", root, clone).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, other := range []string{"wild", "verdict", "score"} { // three of five files of the tree, which is copied five times
		if err := os.RemoveAll(filepath.Join(clone, "labs", other)); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(clone, "labs", l.lab)
	if l.beside != "" {
		l = l.withBeside(t, dir)
	}
	if l.fault == "" {
		l.fault = l.standard
	}
	edited(t, dir, "main.go", l.standard, l.fault)
	committed(t, clone, map[string]string{filepath.Join("labs", l.lab, "unpark.yaml"): fmt.Sprintf(
		"package: .\nargs: [%s]\nurls: [%s]\n%s\ntest: [go, test, -short, .]\n", l.args, l.urls, l.load)})
	a := newCoder(t, dir)
	id, verdict := a.undisturbed("find", nil, "(?m)^LIMIT")
	if !regexp.MustCompile(l.says).MatchString(verdict) {
		t.Errorf("the verdict has no %q", l.says)
	}
	a.told(l, id, verdict)
	edited(t, dir, "main.go", l.fault, l.fix)
	want := l.proof
	if want == "" {
		want = `(?s)^PROVEN +[^\n]*(\n[^\n]*)?got\s+better\s+and\s+none\s+got\s+worse` + measured
	}
	a.undisturbed("prove", map[string]any{"before": "HEAD"}, want)
	if err := a.session.Close(); err != nil {
		t.Error(err)
	}
	a.gone()
}

// disturbed is what a measurement says of a machine that others filled.
var disturbed = regexp.MustCompile(`(?s)^(VOID|LIMIT +cpu · the\s+machine\s+is\s+full,\s+and\s+\d+\s+%\s+of\s+its\s+[\d.]+\s+busy\s+cores\s+are\s+neither|NOT PROVEN +(no\s+round\s+counts|too\s+few\s+rounds\s+count)).*stop\s+what\s+else\s+runs`)

// undisturbed measures once more where the machine did not let it. There is nothing to say of the loop where it never does.
func (a *coder) undisturbed(tool string, arguments map[string]any, want string) (id, verdict string) {
	a.t.Helper()
	for range 2 {
		if id, verdict = a.measure(tool, arguments, disturbed.String()+"|"+want); !disturbed.MatchString(verdict) {
			return id, verdict
		}
	}
	a.t.Skipf("%s was disturbed twice", tool)
	return "", ""
}

// told reads the finding that is the fault: its place, its source where the folder has it, and what a fix of it would do.
func (a *coder) told(l labLoop, id, verdict string) {
	a.t.Helper()
	if l.class == "" {
		if regexp.MustCompile(`(?m)^ +\d (lock|channel|pool|leak) · `).MatchString(verdict) {
			a.t.Error("a wait is named that is none")
		}
		return
	}
	head := regexp.MustCompile(`^ +\d (` + l.class + `) · `)
	for rank := 1; rank <= 2; rank++ {
		of := map[string]any{"run": id, "finding": rank}
		full, failed := a.call("drill", of)
		if failed || !head.MatchString(full) || !regexp.MustCompile(l.where).MatchString(full) {
			a.t.Logf("drill %d, error %v:\n%.300s", rank, failed, full)
			continue
		}
		a.t.Logf("drill %d:\n%s", rank, full)
		if !regexp.MustCompile(`(?m)^ +do  .*(\n.*)*^source of .*(\n.*)*^>`).MatchString(full) {
			a.t.Error("drill has no remedy, or no source")
		}
		a.t.Logf("predict:\n%s", a.want("predict", of, `(?s)^IF .*were\s+gone\n +(fixing|unknown) `))
		a.want("predict", map[string]any{"run": id, "finding": 99}, "!has no finding 99: the last is")
		return
	}
	a.t.Errorf("none of the first two findings is %s at %s", l.class, l.where)
}

// withBeside starts the second process of a lab, of the tree as it is.
func (l labLoop) withBeside(t *testing.T, dir string) labLoop {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	free.Close()
	binary := filepath.Join(t.TempDir(), "beside")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", binary, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	l.args, l.beside = strings.ReplaceAll(l.args, "{beside}", port), strings.ReplaceAll(l.beside, "{beside}", port)
	cmd := exec.Command(binary, strings.Fields(l.beside)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	return l
}
