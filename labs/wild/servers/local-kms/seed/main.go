// Command seed makes a key that signs and 400 keys that encrypt, and writes what is asked of them.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	base, sign, describe := os.Args[1], os.Args[2], os.Args[3]
	signer := create(base, `{"KeySpec": "RSA_4096", "KeyUsage": "SIGN_VERIFY"}`)
	body := fmt.Sprintf(`{"KeyId": %q, "Message": "WAf4ZQhMpVLjMzM4bJ7Ff1kFyxlfB2GTVP9DwDlAwGw=", "MessageType": "DIGEST", "SigningAlgorithm": "RSASSA_PKCS1_V1_5_SHA_256"}`, signer)
	check(os.WriteFile(sign, []byte(body), 0o600))
	var one string
	for i := range 400 {
		one = create(base, fmt.Sprintf(`{"Description": "key of customer %d", "Tags": [{"TagKey": "customer", "TagValue": "%d"}]}`, i, i))
	}
	check(os.WriteFile(describe, []byte(fmt.Sprintf(`{"KeyId": %q}`, one)), 0o600))
}

func create(base, body string) string {
	req, err := http.NewRequest(http.MethodPost, base+"/", strings.NewReader(body))
	check(err)
	req.Header.Set("Content-Type", "application/x-amz-json-1.1")
	req.Header.Set("X-Amz-Target", "TrentService.CreateKey")
	resp, err := http.DefaultClient.Do(req)
	check(err)
	defer resp.Body.Close()
	var made struct{ KeyMetadata struct{ KeyId string } }
	check(json.NewDecoder(resp.Body).Decode(&made))
	if made.KeyMetadata.KeyId == "" {
		log.Fatal("no key was made: ", resp.Status)
	}
	return made.KeyMetadata.KeyId
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
