// What a café plays: its evenings are lists of tracks, and guests see their names, by whom they are and how long. What is known of a
// track is asked of Spotify, or of what stands in for it here, a process of its own that takes 5 ms.
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

	"github.com/zmb3/spotify/v2"

	"wild/service"
)

// cafe has evenings.
type cafe struct {
	spotify  *spotify.Client
	evenings [][]spotify.ID
}

// line is what guests see of a track.
type line struct {
	Name    string `json:"name"`
	By      string `json:"by"`
	Seconds int    `json:"seconds"`
}

func open(address string) *cafe {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}
	c := &cafe{spotify: spotify.New(client, spotify.WithBaseURL("http://"+address+"/v1/"))}
	for e := range 40 {
		var all []spotify.ID
		for t := range 8 + e%9 {
			all = append(all, spotify.ID(fmt.Sprintf("track%017d", e*100+t)))
		}
		c.evenings = append(c.evenings, all)
	}
	return c
}

// tracks are what is known of tracks.
func (c *cafe) tracks(ctx context.Context, ids []spotify.ID) ([]*spotify.FullTrack, error) {
	if service.After() {
		return c.spotify.GetTracks(ctx, ids)
	}
	out := make([]*spotify.FullTrack, 0, len(ids))
	for _, id := range ids {
		t, err := c.spotify.GetTrack(ctx, id)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", id, err)
		}
		out = append(out, t)
	}
	return out, nil
}

func (c *cafe) serve(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("evening"))
	if err != nil || n < 0 || n >= len(c.evenings) {
		http.Error(w, "the café is closed then", http.StatusNotFound)
		return
	}
	all, err := c.tracks(r.Context(), c.evenings[n])
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	out := make([]line, 0, len(all))
	for _, t := range all {
		by := make([]string, 0, len(t.Artists))
		for _, a := range t.Artists {
			by = append(by, a.Name)
		}
		out = append(out, line{t.Name, strings.Join(by, ", "), int(t.Duration) / 1000})
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	if os.Getenv("ROLE") == "spotify" {
		standIn()
		return
	}
	c := open(service.Beside("spotify"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /evenings/{evening}", c.serve)
	service.Run(mux)
}

// known is what is known of a track.
func known(id string) map[string]any {
	return map[string]any{
		"id": id, "name": "Song " + strings.TrimLeft(id, "track0"), "duration_ms": 180000 + len(id)*1000, "popularity": 40,
		"artists": []map[string]any{{"id": "a1", "name": "The Examples"}, {"id": "a2", "name": "Others"}},
		"album":   map[string]any{"id": "b1", "name": "Evenings", "images": []any{}},
	}
}

func standIn() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/tracks/{id}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(5 * time.Millisecond)
		json.NewEncoder(w).Encode(known(r.PathValue("id")))
	})
	mux.HandleFunc("GET /v1/tracks", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(6 * time.Millisecond)
		var all []any
		for _, id := range strings.Split(r.URL.Query().Get("ids"), ",") {
			all = append(all, known(id))
		}
		json.NewEncoder(w).Encode(map[string]any{"tracks": all})
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
