// Registration of users: a name and a mail address are checked, and the password must be one that is
// hard to guess. Most type ten letters; some have a password manager that makes long ones.
package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/mail"
	"strings"
	"sync"

	"github.com/trustelem/zxcvbn"

	"wild/service"
)

const (
	longest = 1000
	enough  = 100 // letters that are looked at, as fixed
)

type registration struct {
	Name     string `json:"name"`
	Mail     string `json:"mail"`
	Password string `json:"password"`
}

func (r registration) check() error {
	if len(r.Name) < 2 || len(r.Name) > 100 {
		return errors.New("a name has 2 to 100 letters")
	}
	if _, err := mail.ParseAddress(r.Mail); err != nil {
		return err
	}
	if len(r.Password) > longest {
		return errors.New("the password is too long")
	}
	return nil
}

// strength is from 0 to 4; what is known of the user makes it less.
func strength(r registration) int {
	password := r.Password
	if service.After() && len(password) > enough {
		password = password[:enough]
	}
	known := append(strings.FieldsFunc(r.Mail, func(c rune) bool { return c == '@' || c == '.' }), strings.Fields(r.Name)...)
	return zxcvbn.PasswordStrength(password, known).Score
}

// users keeps who has asked to be one; the slow hash is made when the address is confirmed.
type users struct {
	mu      sync.Mutex
	waiting map[string][32]byte
}

func (u *users) add(r registration) string {
	var code [16]byte
	rand.Read(code[:])
	sum := sha256.Sum256(append(code[:], r.Password...))
	token := hex.EncodeToString(code[:])
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.waiting) > 10_000 {
		clear(u.waiting)
	}
	u.waiting[token] = sum
	return token
}

func main() {
	u := &users{waiting: map[string][32]byte{}}
	http.HandleFunc("POST /users", func(w http.ResponseWriter, r *http.Request) {
		var in registration
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 16<<10)).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := in.check(); err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		score := strength(in)
		if score < 2 {
			http.Error(w, "the password is easy to guess", http.StatusUnprocessableEntity)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"confirm": u.add(in)[:8], "strength": score})
	})
	service.Run(http.DefaultServeMux)
}
