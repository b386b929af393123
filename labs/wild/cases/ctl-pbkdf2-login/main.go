// A login whose passwords are kept as PBKDF2 with 300,000 rounds of SHA-256: the time of
// a processor is what a guess shall cost.
package main

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net/http"

	"golang.org/x/crypto/pbkdf2"

	"wild/service"
)

const rounds = 300_000

type credentials struct {
	User     string `json:"user"`
	Password string `json:"password"`
}

type stored struct{ salt, key []byte }

func main() {
	users := make(map[string]stored)
	for i := range 3 {
		salt := fmt.Appendf(nil, "salt of user %d.", i)
		users[fmt.Sprintf("user%d", i)] = stored{salt, derive(fmt.Sprintf("battery staple %d", i), salt)}
	}
	http.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		var c credentials
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4096)).Decode(&c); err != nil {
			http.Error(w, "no credentials", http.StatusBadRequest)
			return
		}
		u := users[c.User]
		if subtle.ConstantTimeCompare(derive(c.Password, u.salt), u.key) != 1 {
			http.Error(w, "wrong user or password", http.StatusUnauthorized)
			return
		}
		fmt.Fprintln(w, "welcome", c.User)
	})
	service.Run(http.DefaultServeMux)
}

func derive(password string, salt []byte) []byte {
	return pbkdf2.Key([]byte(password), salt, rounds, sha256.Size, sha256.New)
}
