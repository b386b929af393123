// Command seed writes a schema of users, teams, folders and documents, and their relationships; and the
// names of users and documents that fill the load.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

const schema = `definition user {}

definition team {
	relation member: user | team#member
}

definition folder {
	relation parent: folder
	relation viewer: user | team#member
	permission view = viewer + parent->view
}

definition document {
	relation parent: folder
	relation owner: user
	relation viewer: user | team#member
	permission edit = owner
	permission view = viewer + edit + parent->view
}`

func main() {
	base, key, dir := os.Args[1], os.Args[2], os.Args[3]
	post(base+"/v1/schema/write", key, map[string]any{"schema": schema})
	var updates []any
	touch := func(resource, relation, subject, of string) {
		updates = append(updates, update(resource, relation, subject, of))
		if len(updates) == 500 {
			post(base+"/v1/relationships/write", key, map[string]any{"updates": updates})
			updates = nil
		}
	}
	for i := range 500 { // users in 50 teams, five teams in one
		touch(fmt.Sprint("team:", i%50), "member", fmt.Sprint("user:u", i), "")
	}
	for i := range 50 {
		touch(fmt.Sprint("team:top", i/5), "member", fmt.Sprint("team:", i), "member")
	}
	for i := range 200 { // folders four deep
		if i >= 10 {
			touch(fmt.Sprint("folder:", i), "parent", fmt.Sprint("folder:", i/3), "")
		} else {
			touch(fmt.Sprint("folder:", i), "viewer", fmt.Sprint("team:top", i), "member")
		}
	}
	for i := range 4000 {
		touch(fmt.Sprint("document:d", i), "parent", fmt.Sprint("folder:", i%200), "")
		touch(fmt.Sprint("document:d", i), "owner", fmt.Sprint("user:u", i%500), "")
	}
	post(base+"/v1/relationships/write", key, map[string]any{"updates": updates})
	names(filepath.Join(dir, "users"), "u", 500)
	names(filepath.Join(dir, "documents"), "d", 4000)
}

// update is a relationship that is there after it.
func update(resource, relation, subject, of string) any {
	r, s := object(resource), map[string]any{"object": object(subject)}
	if of != "" {
		s["optionalRelation"] = of
	}
	return map[string]any{"operation": "OPERATION_TOUCH", "relationship": map[string]any{"resource": r, "relation": relation, "subject": s}}
}

func object(text string) any {
	of, id, _ := strings.Cut(text, ":")
	return map[string]string{"objectType": of, "objectId": id}
}

func post(url, key string, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		log.Fatal(err)
	}
	req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(text))
	if err != nil {
		log.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	said, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		log.Fatalf("%s: %s: %s", url, resp.Status, said)
	}
}

// names writes a file of names, one a line, in an order that is not theirs.
func names(path, of string, n int) {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "%s%d\n", of, i*37%n)
	}
	if err := os.WriteFile(path, []byte(out.String()), 0o600); err != nil {
		log.Fatal(err)
	}
}
