// Command seed makes a store with a model of users, teams, folders and documents, and their relationships; it
// writes the store's name and the users that fill the load.
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

const model = `{"schema_version": "1.1", "type_definitions": [
	{"type": "user"},
	{"type": "team", "relations": {"member": {"this": {}}},
		"metadata": {"relations": {"member": {"directly_related_user_types": [{"type": "user"}, {"type": "team", "relation": "member"}]}}}},
	{"type": "folder", "relations": {
			"parent": {"this": {}},
			"viewer": {"union": {"child": [{"this": {}}, {"tupleToUserset": {"tupleset": {"relation": "parent"}, "computedUserset": {"relation": "viewer"}}}]}}},
		"metadata": {"relations": {
			"parent": {"directly_related_user_types": [{"type": "folder"}]},
			"viewer": {"directly_related_user_types": [{"type": "user"}, {"type": "team", "relation": "member"}]}}}},
	{"type": "document", "relations": {
			"parent": {"this": {}},
			"owner": {"this": {}},
			"viewer": {"union": {"child": [{"this": {}}, {"computedUserset": {"relation": "owner"}},
				{"tupleToUserset": {"tupleset": {"relation": "parent"}, "computedUserset": {"relation": "viewer"}}}]}}},
		"metadata": {"relations": {
			"parent": {"directly_related_user_types": [{"type": "folder"}]},
			"owner": {"directly_related_user_types": [{"type": "user"}]},
			"viewer": {"directly_related_user_types": [{"type": "user"}, {"type": "team", "relation": "member"}]}}}}
]}`

type tuple struct {
	User     string `json:"user"`
	Relation string `json:"relation"`
	Object   string `json:"object"`
}

func main() {
	base, dir := os.Args[1], os.Args[2]
	store := post(base+"/stores", map[string]string{"name": "lab"})["id"].(string)
	base += "/stores/" + store
	post(base+"/authorization-models", json.RawMessage(model))

	var all []tuple
	for i := range 500 { // users in 50 teams, five teams in one
		all = append(all, tuple{fmt.Sprint("user:u", i), "member", fmt.Sprint("team:", i%50)})
	}
	for i := range 50 {
		all = append(all, tuple{fmt.Sprintf("team:%d#member", i), "member", fmt.Sprint("team:top", i/5)})
	}
	for i := range 200 { // folders four deep
		if i >= 10 {
			all = append(all, tuple{fmt.Sprint("folder:", i/3), "parent", fmt.Sprint("folder:", i)})
		} else {
			all = append(all, tuple{fmt.Sprintf("team:top%d#member", i), "viewer", fmt.Sprint("folder:", i)})
		}
	}
	for i := range 2000 {
		all = append(all,
			tuple{fmt.Sprint("folder:", i%200), "parent", fmt.Sprint("document:d", i)},
			tuple{fmt.Sprint("user:u", i%500), "owner", fmt.Sprint("document:d", i)})
	}
	for len(all) > 0 {
		n := min(100, len(all))
		post(base+"/write", map[string]any{"writes": map[string]any{"tuple_keys": all[:n]}})
		all = all[n:]
	}

	write(filepath.Join(dir, "store"), store+"\n")
	var users strings.Builder
	for i := range 500 {
		fmt.Fprintf(&users, "u%d\n", i*37%500)
	}
	write(filepath.Join(dir, "users"), users.String())
}

func post(url string, body any) map[string]any {
	text, err := json.Marshal(body)
	check(err)
	resp, err := http.Post(url, "application/json", bytes.NewReader(text))
	check(err)
	said, err := io.ReadAll(resp.Body)
	check(err)
	_ = resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		log.Fatalf("%s: %s: %s", url, resp.Status, said)
	}
	out := map[string]any{}
	check(json.Unmarshal(said, &out))
	return out
}

func write(path, text string) { check(os.WriteFile(path, []byte(text), 0o600)) }

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
