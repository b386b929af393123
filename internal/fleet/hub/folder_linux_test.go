package hub

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// asFolder has the test's binary make a folder and wait.
const asFolder = "UNPARK_TEST_FOLDER"

// TestFolderGoesWithItsProcess: it is gone when it was removed, and when the process that made it is killed; not before.
func TestFolderGoesWithItsProcess(t *testing.T) {
	if os.Getenv(asFolder) != "" {
		dir, _, err := TempFolder("unpark-test-")
		if err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString(dir + "\n")
		select {}
	}
	dir, remove, err := TempFolder("unpark-test-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/trace.out", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	remove()
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("it is there after it was removed: %v", err)
	}

	c := exec.Command(os.Args[0], "-test.run=^TestFolderGoesWithItsProcess$")
	c.Env = append(os.Environ(), asFolder+"=1")
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Wait() }() // it was killed
	line, err := bufio.NewReader(out).ReadString('\n')
	dir = strings.TrimSpace(line)
	if err == nil {
		_, err = os.Stat(dir)
	}
	if err != nil {
		t.Error(err)
	}
	_ = c.Process.Kill()
	within(t, "the folder's end", func() bool {
		_, err := os.Stat(dir)
		return os.IsNotExist(err)
	})
}
