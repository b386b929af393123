// Log-ins of a mail server's users, whose passwords are kept as the server's own file has them: as what crypt makes of them, with SHA-512.
// That it takes a while is wanted.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"strconv"
	"strings"

	"github.com/GehirnInc/crypt"
	_ "github.com/GehirnInc/crypt/sha512_crypt"

	"wild/service"
)

// users are as the file has them.
type users map[string]string

// read reads lines of users and what crypt made of their passwords.
func read(file string) users {
	out := users{}
	for line := range strings.Lines(file) {
		if name, hash, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			out[name] = hash
		}
	}
	return out
}

// file is what would be read from the disk.
func file() (string, error) {
	var b strings.Builder
	for i := range 12 {
		hash, err := crypt.SHA512.New().Generate([]byte("password-"+strconv.Itoa(i)), fmt.Appendf(nil, "$6$rounds=5000$mailserver%06d", i*7919))
		if err != nil {
			return "", err
		}
		b.WriteString("user" + strconv.Itoa(i) + ":" + hash + "\n")
	}
	return b.String(), nil
}

func (u users) login(w http.ResponseWriter, r *http.Request) {
	var in struct{ User, Password string }
	if err := json.NewDecoder(io.LimitReader(r.Body, 4<<10)).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	hash, ok := u[in.User]
	if !ok || crypt.SHA512.New().Verify(hash, []byte(in.Password)) != nil {
		http.Error(w, "no", http.StatusUnauthorized)
		return
	}
	json.NewEncoder(w).Encode(map[string]string{"user": in.User, "home": "/mail/" + in.User})
}

func main() {
	lines, err := file()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /login", read(lines).login)
	service.Run(mux)
}
