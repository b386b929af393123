// A login that compares passwords with bcrypt at its default cost: about 50 ms of
// processor for each, on purpose.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"

	"golang.org/x/crypto/bcrypt"

	"wild/service"
)

type credentials struct {
	User     string `json:"user"`
	Password string `json:"password"`
}

func main() {
	users := make(map[string][]byte)
	for i := range 4 {
		hash, err := bcrypt.GenerateFromPassword([]byte(fmt.Sprintf("correct horse %d", i)), bcrypt.DefaultCost)
		if err != nil {
			log.Fatal(err)
		}
		users[fmt.Sprintf("user%d", i)] = hash
	}
	http.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		var c credentials
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4096)).Decode(&c); err != nil {
			http.Error(w, "no credentials", http.StatusBadRequest)
			return
		}
		if bcrypt.CompareHashAndPassword(users[c.User], []byte(c.Password)) != nil {
			http.Error(w, "wrong user or password", http.StatusUnauthorized)
			return
		}
		fmt.Fprintln(w, "welcome", c.User)
	})
	service.Run(http.DefaultServeMux)
}
