// Badges of a game's club: its pages show who a player is at the club's Discord server, with nick and roles. Discord is a process elsewhere,
// which takes 2 ms for an answer.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"wild/service"
)

const guild = "900100"

// badge is what a page shows.
type badge struct {
	Nick  string   `json:"nick"`
	Roles []string `json:"roles"`
}

// nearby is Discord, as it is reached here.
type nearby struct {
	address string
	http.RoundTripper
}

func (n nearby) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = "http", n.address
	return n.RoundTripper.RoundTrip(r)
}

// club has a bot.
type club struct{ bot *discordgo.Session }

func open(address string) (*club, error) {
	bot, err := discordgo.New("Bot club")
	if err != nil {
		return nil, err
	}
	bot.Client = &http.Client{Transport: nearby{address, &http.Transport{MaxIdleConnsPerHost: 64}}, Timeout: 5 * time.Second}
	return &club{bot}, bot.State.GuildAdd(&discordgo.Guild{ID: guild})
}

// member finds a player.
func (c *club) member(user string) (*discordgo.Member, error) {
	if !service.After() {
		return c.bot.GuildMember(guild, user)
	}
	if m, err := c.bot.State.Member(guild, user); err == nil {
		return m, nil
	}
	m, err := c.bot.GuildMember(guild, user)
	if err != nil {
		return nil, err
	}
	return m, c.bot.State.MemberAdd(m)
}

func (c *club) serve(w http.ResponseWriter, r *http.Request) {
	m, err := c.member(r.PathValue("user"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(badge{m.Nick, m.Roles})
}

func main() {
	if os.Getenv("ROLE") == "discord" {
		discord()
		return
	}
	c, err := open(service.Beside("discord"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /players/{user}/badge", c.serve)
	service.Run(mux)
}

// discord knows the members of servers.
func discord() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	h := func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Millisecond)
		user := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-RateLimit-Remaining", "1000")
		w.Header().Set("X-RateLimit-Reset-After", "1")
		json.NewEncoder(w).Encode(map[string]any{
			"user": map[string]string{"id": user, "username": "player" + user}, "nick": "the " + user + "th", "roles": []string{"11", "12"},
			"joined_at": "2024-05-06T07:08:09.000000+00:00",
		})
	}
	go http.Serve(ln, http.HandlerFunc(h))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
