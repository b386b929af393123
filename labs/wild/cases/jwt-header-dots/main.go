// Token introspection: clients post a token and are told whether it is good.
package main

import (
	"encoding/json"
	"io"
	"net/http"

	"github.com/golang-jwt/jwt/v5"

	"wild/service"
)

func main() {
	secret := []byte("a secret of some thirty-two bytes")
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"HS256"}))

	mux := http.NewServeMux()
	mux.HandleFunc("/introspect", func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		var claims jwt.RegisteredClaims
		token, err := parser.ParseWithClaims(string(text), &claims, func(*jwt.Token) (any, error) {
			return secret, nil
		})
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"active": err == nil && token.Valid, "sub": claims.Subject})
	})
	service.Run(mux)
}
