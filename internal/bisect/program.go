package bisect

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"os"
)

// hashOf is the hash of a program without its build IDs. Half of Go's is made of the sources (cmd/go/internal/work/buildid.go), so that
// another comment makes another ID, and the linker makes that of GNU from it.
func hashOf(binary string) (string, error) {
	text, err := os.ReadFile(binary)
	if err != nil {
		return "", fmt.Errorf("read the program: %w", err)
	}
	blankIDs(text)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// blankIDs overwrites the build IDs of an ELF file. In files of other systems they stay, and a comment is a change.
func blankIDs(text []byte) {
	f, err := elf.NewFile(bytes.NewReader(text))
	if err != nil {
		return
	}
	for _, name := range []string{".note.go.buildid", ".note.gnu.build-id"} {
		if s := f.Section(name); s != nil && s.Type == elf.SHT_NOTE && s.Offset+s.FileSize <= uint64(len(text)) {
			clear(text[s.Offset : s.Offset+s.FileSize])
		}
	}
}
