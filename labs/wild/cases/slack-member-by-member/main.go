// Who is on duty in a firm, for the board in the hall: the names of a shift's members come from the firm's workspace, a process elsewhere
// that takes 2 ms for a request.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"wild/service"
)

const members = 9 // of a shift

// board shows shifts.
type board struct{ workspace *slack.Client }

func open(address string) *board {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}
	return &board{slack.New("let-me-in", slack.OptionAPIURL("http://"+address+"/api/"), slack.OptionHTTPClient(client))}
}

// names are what members are called.
func (b *board) names(ctx context.Context, ids []string) ([]string, error) {
	var out []string
	if service.After() {
		users, err := b.workspace.GetUsersInfoContext(ctx, ids...)
		if err != nil {
			return nil, err
		}
		for _, u := range *users {
			out = append(out, u.RealName)
		}
		return out, nil
	}
	for _, id := range ids {
		u, err := b.workspace.GetUserInfoContext(ctx, id)
		if err != nil {
			return nil, err
		}
		out = append(out, u.RealName)
	}
	return out, nil
}

func (b *board) serve(w http.ResponseWriter, r *http.Request) {
	shift, err := strconv.Atoi(r.PathValue("shift"))
	if err != nil || shift < 0 {
		http.Error(w, "which shift?", http.StatusBadRequest)
		return
	}
	var ids []string
	for i := range members {
		ids = append(ids, fmt.Sprintf("U%05d", shift*17+i))
	}
	names, err := b.names(r.Context(), ids)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"shift": shift, "on_duty": names})
}

func main() {
	if os.Getenv("ROLE") == "workspace" {
		serveWorkspace()
		return
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /shifts/{shift}", open(service.Beside("workspace")).serve)
	service.Run(mux)
}

// serveWorkspace knows everybody.
func serveWorkspace() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	one := func(id string) map[string]any {
		return map[string]any{"id": id, "name": strings.ToLower(id), "real_name": "Member " + id[1:], "tz": "Europe/Berlin"}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/users.info", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Millisecond)
		out := map[string]any{"ok": true}
		if ids := r.FormValue("users"); ids != "" {
			var all []map[string]any
			for id := range strings.SplitSeq(ids, ",") {
				all = append(all, one(id))
			}
			out["users"] = all
		} else {
			out["user"] = one(r.FormValue("user"))
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
