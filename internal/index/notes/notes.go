// Package notes keeps what a user writes to runs: tags and a text, in a file of their folder. Begin at [Notes].
package notes

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/unpark-go/unpark/internal/store"
)

// file stands in the folder of runs: what users write is nowhere else, so that it must not be in an index.
const file = "notes.json"

const schema = "unpark.notes/v1"

const (
	// longestNote bounds a note, and longestTag a tag.
	// Unit: bytes. Source: convention, a screen of text. Test: TestNotes.
	longestNote, longestTag = 16 << 10, 64
	// mostTags bounds the tags of one run.
	// Unit: tags. Source: convention, more than fit a row. Test: TestNotes.
	mostTags = 20
	// largestNotes bounds what is read.
	// Unit: bytes. Source: a thousand of the longest notes. Test: TestNotes.
	largestNotes = 16 << 20
)

// Note is what a user wrote to one run.
type Note struct {
	Tags []string `json:"tags,omitempty"`
	Text string   `json:"text,omitempty"`
}

// Notes are those of a folder of runs. Its methods may be called from several goroutines; of two processes that write at once the later
// one's note for a run is kept, and the other's for other runs.
type Notes struct {
	Root string
	mu   sync.Mutex
}

type document struct {
	Schema string          `json:"schema"`
	Notes  map[string]Note `json:"notes"` // by the path of the run below the folder
}

// All reads the notes, by the path of the run below the folder.
func (n *Notes) All() (map[string]Note, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.read()
}

func (n *Notes) read() (map[string]Note, error) {
	object := filepath.Join(n.Root, file)
	f, err := store.File(n.Root, file)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]Note{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the notes: %w", err)
	}
	defer f.Close()
	var d document
	if err := json.NewDecoder(io.LimitReader(f, largestNotes)).Decode(&d); err != nil {
		return nil, fmt.Errorf("read %s: %w: mend it, or move it away; it is not overwritten", object, err)
	}
	if d.Schema != schema {
		return nil, fmt.Errorf("read %s: schema %q is not known to this unpark, which reads %s; use the version of unpark that wrote it, or a newer one", object, d.Schema, schema)
	}
	if d.Notes == nil {
		d.Notes = map[string]Note{}
	}
	return d.Notes, nil
}

// Set writes the note of a run; an empty one takes it away. A file that cannot be read is left as it is.
func (n *Notes) Set(at string, note Note) error {
	note.Text = strings.TrimSpace(note.Text)
	var tags []string
	for _, t := range note.Tags {
		if t = strings.Join(strings.Fields(t), " "); t != "" && !slices.Contains(tags, t) {
			tags = append(tags, t)
		}
		if len(t) > longestTag {
			return fmt.Errorf("write the note of %s: a tag is longer than %d bytes: write it into the note", at, longestTag)
		}
	}
	if note.Tags = tags; len(tags) > mostTags || len(note.Text) > longestNote {
		return fmt.Errorf("write the note of %s: a run has at most %d tags and %d bytes of text: shorten it", at, mostTags, longestNote)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	all, err := n.read() // anew: another process may have written
	if err != nil {
		return err
	}
	if all[at] = note; note.Text == "" && len(note.Tags) == 0 {
		delete(all, at)
	}
	return n.write(all)
}

// write replaces the file in one step.
func (n *Notes) write(all map[string]Note) error {
	object := filepath.Join(n.Root, file)
	text, err := json.MarshalIndent(document{schema, all}, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", object, err)
	}
	f, err := os.CreateTemp(n.Root, ".notes-*") // 0600
	if err != nil {
		return fmt.Errorf("write %s: %w: notes need a folder that you may write to", object, err)
	}
	_, err = f.Write(append(text, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), object)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w: free some space on the disk", object, err), os.Remove(f.Name()))
	}
	return nil
}
