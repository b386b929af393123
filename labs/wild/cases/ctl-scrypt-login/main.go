// Log-in of a club: passwords are kept as scrypt hashes, which are slow on purpose, and a member that is let in gets a token.
package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"strconv"
	"time"

	"golang.org/x/crypto/scrypt"

	"wild/service"
)

// The costs that the documentation of scrypt recommends for log-ins.
const n, r, p = 32768, 8, 1

// member is one of the club.
type member struct {
	salt, hash []byte
}

// club has members.
type club struct {
	members map[string]member
	key     []byte
}

func hash(password string, salt []byte) ([]byte, error) {
	return scrypt.Key([]byte(password), salt, n, r, p, 32)
}

func open() (*club, error) {
	c := &club{map[string]member{}, make([]byte, 32)}
	if _, err := rand.Read(c.key); err != nil {
		return nil, err
	}
	for i := range 6 {
		m := member{salt: make([]byte, 16)}
		if _, err := rand.Read(m.salt); err != nil {
			return nil, err
		}
		var err error
		if m.hash, err = hash("slow river "+strconv.Itoa(i), m.salt); err != nil {
			return nil, err
		}
		c.members["m"+strconv.Itoa(i)] = m
	}
	return c, nil
}

// token lets a member in for an hour.
func (c *club) token(name string) string {
	text := fmt.Sprintf("%s|%d", name, time.Now().Add(time.Hour).Unix())
	mac := hmac.New(sha256.New, c.key)
	io.WriteString(mac, text)
	return text + "|" + hex.EncodeToString(mac.Sum(nil))
}

func (c *club) login(w http.ResponseWriter, req *http.Request) {
	var sent struct{ Name, Password string }
	if err := json.NewDecoder(io.LimitReader(req.Body, 4<<10)).Decode(&sent); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m, ok := c.members[sent.Name]
	if !ok {
		m.salt = c.key[:16] // it takes as long
	}
	got, err := hash(sent.Password, m.salt)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if !ok || subtle.ConstantTimeCompare(got, m.hash) != 1 {
		http.Error(w, "name or password is wrong", http.StatusUnauthorized)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]string{"token": c.token(sent.Name)})
}

func main() {
	c, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /login", c.login)
	service.Run(mux)
}
