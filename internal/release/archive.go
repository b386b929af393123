package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// entry is a file of an archive.
type entry struct {
	name string // with slashes
	mode os.FileMode
	text []byte
}

// extrasOf returns what archives hold beside the binary: documents, and the
// completions and manual pages that the tool itself prints.
func extrasOf(tree, work, host string, date time.Time) ([]entry, error) {
	var out []entry
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		text, err := os.ReadFile(filepath.Join(tree, name))
		if err != nil {
			return nil, fmt.Errorf("collect the files of an archive: %w", err)
		}
		out = append(out, entry{name, 0o644, text})
	}
	for _, c := range []struct{ shell, file string }{
		{"bash", "unpark.bash"}, {"zsh", "_unpark"}, {"fish", "unpark.fish"}, {"powershell", "unpark.ps1"},
	} {
		text, err := exec.Command(host, "completion", c.shell).Output()
		if err != nil {
			return nil, fmt.Errorf("unpark completion %s: %w", c.shell, err)
		}
		out = append(out, entry{"completions/" + c.file, 0o644, text})
	}
	man := filepath.Join(work, "man")
	cmd := exec.Command(host, "man", man)
	// The pages are dated, by the convention of https://reproducible-builds.org.
	cmd.Env = append(cmd.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(date.Unix(), 10))
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("unpark man: %w: %s", err, text)
	}
	pages, err := filepath.Glob(filepath.Join(man, "*.1"))
	if err != nil || len(pages) == 0 {
		return nil, fmt.Errorf("unpark man wrote no page into %s: %w", man, err)
	}
	for _, p := range pages {
		text, err := os.ReadFile(p)
		if err != nil {
			return nil, fmt.Errorf("collect the manual pages: %w", err)
		}
		out = append(out, entry{"man/man1/" + filepath.Base(p), 0o644, text})
	}
	return out, nil
}

// writeArchive writes the archive of one platform and returns its name. Its
// bytes follow from the arguments: entries are sorted, dated with date, and
// without an owner.
func writeArchive(dir, platform, version, binary string, extras []entry, date time.Time) (string, error) {
	goos, goarch, _ := strings.Cut(platform, "/")
	text, err := os.ReadFile(binary)
	if err != nil {
		return "", fmt.Errorf("archive %s: %w", platform, err)
	}
	folder := fmt.Sprintf("unpark_%s_%s_%s", version, goos, goarch)
	entries := append(slices.Clone(extras), entry{binaryName(goos), 0o755, text})
	for i := range entries {
		entries[i].name = folder + "/" + entries[i].name
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	name, write := folder+".tar.gz", writeTar
	if goos == "windows" {
		name, write = folder+".zip", writeZip
	}
	var packed bytes.Buffer
	if err := write(&packed, entries, date); err != nil {
		return "", fmt.Errorf("archive %s: %w", platform, err)
	}
	return name, rewrite(filepath.Join(dir, name), packed.Bytes())
}

func writeTar(w io.Writer, entries []entry, date time.Time) error {
	packed := gzip.NewWriter(w)
	t := tar.NewWriter(packed)
	for _, e := range entries {
		err := t.WriteHeader(&tar.Header{
			Name: e.name, Mode: int64(e.mode), Size: int64(len(e.text)), ModTime: date, Format: tar.FormatPAX,
		})
		if err != nil {
			return err
		}
		if _, err := t.Write(e.text); err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), packed.Close())
}

func writeZip(w io.Writer, entries []entry, date time.Time) error {
	z := zip.NewWriter(w)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: date}
		h.SetMode(e.mode)
		f, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := f.Write(e.text); err != nil {
			return err
		}
	}
	return z.Close()
}

// writeSums writes SHA256SUMS, which sha256sum --check reads, for all archives.
func writeSums(dir string) error {
	names, err := os.ReadDir(dir) // sorted
	if err != nil {
		return fmt.Errorf("sum the archives: %w", err)
	}
	var out strings.Builder
	for _, n := range names {
		text, err := os.ReadFile(filepath.Join(dir, n.Name()))
		if err != nil {
			return fmt.Errorf("sum the archives: %w", err)
		}
		fmt.Fprintf(&out, "%x  %s\n", sha256.Sum256(text), n.Name())
	}
	return rewrite(filepath.Join(dir, "SHA256SUMS"), []byte(out.String()))
}
