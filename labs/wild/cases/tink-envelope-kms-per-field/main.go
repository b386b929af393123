// Files of patients: what is private of a patient is kept encrypted, each field by itself. The key that protects the keys
// never leaves the key service, which another machine has.
package main

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/tink"

	"wild/service"
)

// keys is the key service.
type keys struct {
	address string
	client  *http.Client
}

func (k *keys) Encrypt(text, with []byte) ([]byte, error) { return k.ask("encrypt", text, with) }
func (k *keys) Decrypt(text, with []byte) ([]byte, error) { return k.ask("decrypt", text, with) }

func (k *keys) ask(what string, text, with []byte) ([]byte, error) {
	resp, err := k.client.Post(fmt.Sprintf("http://%s/%s?with=%x", k.address, what, with), "application/octet-stream", bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	out, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("key service: %s", resp.Status)
	}
	return out, err
}

// crypt is what fields are encrypted with.
func crypt(k *keys) (tink.AEAD, error) {
	if !service.After() {
		return aead.NewKMSEnvelopeAEAD2(aead.AES256GCMKeyTemplate(), k), nil
	}
	handle, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		return nil, err
	}
	var kept bytes.Buffer // of the database, in which a keyset is encrypted as well
	if err := handle.Write(keyset.NewBinaryWriter(&kept), k); err != nil {
		return nil, err
	}
	if handle, err = keyset.Read(keyset.NewBinaryReader(&kept), k); err != nil {
		return nil, err
	}
	return aead.New(handle)
}

// ward has the files.
type ward struct {
	files map[int]map[string][]byte
	crypt tink.AEAD
}

var fields = []string{"name", "born", "insured", "findings"}

// admit keeps a patient's file.
func (w *ward) admit(id int, private map[string]string) error {
	file := map[string][]byte{}
	for field, text := range private {
		secret, err := w.crypt.Encrypt([]byte(text), []byte(field+strconv.Itoa(id)))
		if err != nil {
			return fmt.Errorf("patient %d: %w", id, err)
		}
		file[field] = secret
	}
	w.files[id] = file
	return nil
}

var errPatient = errors.New("no such patient")

// file is what is known of a patient.
func (w *ward) file(id int) (map[string]string, error) {
	secret, ok := w.files[id]
	if !ok {
		return nil, errPatient
	}
	out := map[string]string{}
	for _, field := range fields {
		text, err := w.crypt.Decrypt(secret[field], []byte(field+strconv.Itoa(id)))
		if err != nil {
			return nil, fmt.Errorf("patient %d: %w", id, err)
		}
		out[field] = string(text)
	}
	return out, nil
}

func main() {
	if os.Getenv("ROLE") == "keys" {
		serveKeys()
		return
	}
	c, err := crypt(&keys{service.Beside("keys"), &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}})
	if err != nil {
		log.Fatal(err)
	}
	all := &ward{files: map[int]map[string][]byte{}, crypt: c}
	for id := range 60 {
		private := map[string]string{
			"name": fmt.Sprintf("Patient %d", id), "born": fmt.Sprintf("19%02d-0%d-1%d", 30+id, 1+id%9, id%10), "insured": fmt.Sprintf("K%08d", id*7919),
			"findings": "Seen on the ward, and to be seen again in " + strconv.Itoa(id%6+1) + " weeks.",
		}
		if err := all.admit(id, private); err != nil {
			log.Fatal(err)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /patients/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		if err != nil {
			http.Error(w, "id is a number", http.StatusBadRequest)
			return
		}
		out, err := all.file(id)
		switch {
		case errors.Is(err, errPatient):
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(mux)
}

// serveKeys is the key service, 3 ms away.
func serveKeys() {
	block, err := aes.NewCipher([]byte("only for tests, thirty-two bytes"))
	if err != nil {
		log.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		log.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /{what}", func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<16))
		time.Sleep(3 * time.Millisecond)
		with := []byte(r.FormValue("with"))
		switch n := gcm.NonceSize(); {
		case err != nil:
		case r.PathValue("what") == "encrypt":
			nonce := make([]byte, n)
			rand.Read(nonce)
			text = gcm.Seal(nonce, nonce, text, with)
		case len(text) < n:
			err = io.ErrUnexpectedEOF
		default:
			text, err = gcm.Open(nil, text[:n], text[n:], with)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Write(text)
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
