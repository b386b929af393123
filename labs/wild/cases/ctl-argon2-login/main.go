// Logins: a password is held against its Argon2id hash, with the memory and the passes that OWASP asks for, and
// who is right gets a token that says until when it is good.
package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"

	"golang.org/x/crypto/argon2"

	"wild/service"
)

// cost is what a hash takes: 19 MiB, two passes, one thread.
const (
	memory = 19 << 10
	passes = 2
	length = 32
)

// user is as it is stored.
type user struct {
	salt, hash []byte
	locked     bool
}

type users struct {
	by  map[string]user
	key []byte
}

func derive(password string, salt []byte) []byte {
	return argon2.IDKey([]byte(password), salt, passes, memory, 1, length)
}

func newUsers() (*users, error) {
	u := &users{by: map[string]user{}, key: make([]byte, 32)}
	if _, err := rand.Read(u.key); err != nil {
		return nil, err
	}
	for i := range 6 {
		salt := make([]byte, 16)
		if _, err := rand.Read(salt); err != nil {
			return nil, err
		}
		u.by[fmt.Sprint("user", i)] = user{salt: salt, hash: derive(fmt.Sprint("correct horse ", i), salt)}
	}
	return u, nil
}

var errRefused = errors.New("user or password is wrong")

func (u *users) login(name, password string) (string, error) {
	known, ok := u.by[name]
	if !ok || known.locked {
		return "", errRefused
	}
	if subtle.ConstantTimeCompare(derive(password, known.salt), known.hash) != 1 {
		return "", errRefused
	}
	return u.token(name, time.Now().Add(time.Hour)), nil
}

func (u *users) token(name string, until time.Time) string {
	claims := fmt.Sprintf("%s|%d", name, until.Unix())
	mac := hmac.New(sha256.New, u.key)
	io.WriteString(mac, claims)
	return base64.RawURLEncoding.EncodeToString(mac.Sum([]byte(claims + "|")))
}

func main() {
	u, err := newUsers()
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		var in struct{ User, Password string }
		if err := json.NewDecoder(io.LimitReader(r.Body, 4096)).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		token, err := u.login(in.User, in.Password)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]string{"token": token})
	})
	service.Run(http.DefaultServeMux)
}
