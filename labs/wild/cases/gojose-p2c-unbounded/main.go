// A vault that decrypts what clients seal with its passphrase (JWE, PBES2). How many
// rounds of PBKDF2 that takes is what the header of the message says.
package main

import (
	"encoding/base64"
	"encoding/json"
	"log"
	"net/http"
	"strings"

	"github.com/go-jose/go-jose/v3"

	"wild/service"
)

var passphrase = []byte("correct horse battery staple")

func main() {
	message := sealed(1_200_000)
	http.HandleFunc("/open", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		jwe, err := jose.ParseEncrypted(message)
		if err == nil {
			_, err = jwe.Decrypt(passphrase)
		}
		json.NewEncoder(w).Encode(map[string]bool{"opened": err == nil})
	})
	service.Run(http.DefaultServeMux)
}

// sealed is a message as a client may send it: sealed with few rounds, with a header
// that asks for many.
func sealed(rounds int) string {
	enc, err := jose.NewEncrypter(jose.A128GCM, jose.Recipient{
		Algorithm: jose.PBES2_HS256_A128KW, Key: passphrase, PBES2Count: 1000,
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	obj, err := enc.Encrypt([]byte("a secret"))
	if err != nil {
		log.Fatal(err)
	}
	text, err := obj.CompactSerialize()
	if err != nil {
		log.Fatal(err)
	}
	head, rest, _ := strings.Cut(text, ".")
	raw, err := base64.RawURLEncoding.DecodeString(head)
	if err != nil {
		log.Fatal(err)
	}
	var header map[string]any
	if err := json.Unmarshal(raw, &header); err != nil {
		log.Fatal(err)
	}
	header["p2c"] = rounds
	if raw, err = json.Marshal(header); err != nil {
		log.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(raw) + "." + rest
}
