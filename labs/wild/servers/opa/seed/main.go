// Command seed writes data.json: 200 users with their roles, 20 roles, and 5000 devices in an array.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
)

func main() {
	users, roles, devices := map[string]any{}, map[string]any{}, []any{}
	for i := range 200 {
		users[fmt.Sprint("user-", i)] = map[string]any{"roles": []string{fmt.Sprint("role-", i%20), fmt.Sprint("role-", (i+7)%20)}}
	}
	for i := range 20 {
		var grants []map[string]string
		for _, action := range []string{"read", "write", "delete"} {
			grants = append(grants, map[string]string{"action": action, "type": fmt.Sprint("type-", i)})
		}
		roles[fmt.Sprint("role-", i)] = grants
	}
	for i := range 5000 {
		devices = append(devices, map[string]string{"serial": fmt.Sprintf("SN%06d", i), "owner": fmt.Sprint("user-", i%200)})
	}
	text, err := json.Marshal(map[string]any{"users": users, "roles": roles, "devices": devices})
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[1], text, 0o644); err != nil {
		log.Fatal(err)
	}
}
