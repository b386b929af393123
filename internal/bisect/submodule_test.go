package bisect

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// moved is a history in which the program prints what a submodule says that a request costs; the third of five commits moves the
// submodule to one that costs more. good is the first.
func moved(t *testing.T) (r *repository, good, culprit string) {
	t.Helper()
	lib := newRepository(t)
	priced := func(cost int) {
		lib.write("go.mod", "module example.org/lib\n\ngo 1.22\n")
		lib.write("lib.go", fmt.Sprintf("package lib\n\n// Cost of a request.\nconst Cost = %d\n", cost))
		lib.commit("cost " + strconv.Itoa(cost))
	}
	priced(1000)
	r = newRepository(t)
	r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib.dir, "lib")
	r.write("go.mod", "module example.org/shop\n\ngo 1.22\n\nrequire example.org/lib v0.0.0\n\nreplace example.org/lib => ./lib\n")
	server := func(part int) {
		r.write("cmd/server/main.go", fmt.Sprintf("package main\n\nimport \"example.org/lib\"\n\nfunc init() { part = %d }\n\nvar part int\n\nfunc main() { println(lib.Cost) }\n", part))
	}
	server(0)
	good = r.commit("with the library")
	for i := range 5 {
		if i == 2 {
			priced(1300)
			r.git("-C", "lib", "pull", "--quiet")
			culprit = r.commit("move the library")
			continue
		}
		server(i + 1)
		r.commit("step " + strconv.Itoa(i))
	}
	return r, good, culprit
}

// TestMovesASubmodule: the commit that moves a submodule is found, also where the folder of a clone has none checked out.
func TestMovesASubmodule(t *testing.T) {
	r, good, culprit := moved(t)
	b, lines, err := r.find(t.Context(), good, "main", filepath.Join(t.TempDir(), "s"), &madeUp{noise: 0.02})
	if err != nil || b.Outcome != "found" || len(b.Culprits) != 1 || b.Culprits[0] != culprit {
		t.Errorf("%v: %s %v (%s), want %s\n%s", err, b.Outcome, b.Culprits, b.Why, culprit, strings.Join(lines, "\n"))
	}
	if left := r.git("worktree", "list"); strings.Count(left, "\n") > 0 {
		t.Errorf("worktrees are left:\n%s", left)
	}
	if state := r.git("status", "--porcelain"); state != "" {
		t.Errorf("the user's tree was changed: %s", state)
	}
	if left := r.git("-C", "lib", "worktree", "list"); strings.Count(left, "\n") > 0 {
		t.Errorf("worktrees of the submodule are left:\n%s", left)
	}
}

// TestSubmoduleThatIsNotHere: what is missing is said before what the compiler says, with what brings it.
func TestSubmoduleThatIsNotHere(t *testing.T) {
	r, good, _ := moved(t)
	clone := filepath.Join(t.TempDir(), "clone")
	r.git("clone", "--quiet", r.dir, clone)
	c := &repository{t, clone}
	_, _, err := c.find(t.Context(), good, "HEAD", filepath.Join(t.TempDir(), "s"), &madeUp{})
	if err == nil || !strings.Contains(err.Error(), "submodule lib has no clone here: git submodule update --init --recursive:\n") {
		t.Errorf("without a clone: %v", err)
	}
	// A clone of the submodule that is older than the commit.
	c.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init")
	objects := filepath.Join(clone, ".git", "modules", "lib", "objects")
	newest := c.git("-C", "lib", "rev-parse", "HEAD")
	if err := os.RemoveAll(filepath.Join(objects, newest[:2], newest[2:])); err != nil {
		t.Fatal(err)
	}
	if packs, _ := filepath.Glob(filepath.Join(objects, "pack", "*.pack")); len(packs) > 0 {
		t.Fatalf("the clone keeps its objects in %v", packs)
	}
	_, _, err = c.find(t.Context(), good, "HEAD", filepath.Join(t.TempDir(), "t"), &madeUp{})
	if err == nil || !strings.Contains(err.Error(), "submodule lib cannot be checked out at "+newest[:12]+": git -C lib fetch") {
		t.Errorf("without its commit: %v", err)
	}
}
