// Payslips: a company's are signed with its OpenPGP key before they are sent, so that employees' banks may trust them. The key is kept
// as it was exported, armored and under a passphrase.
package main

import (
	"bytes"
	"crypto"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"github.com/ProtonMail/go-crypto/openpgp/s2k"

	"wild/service"
)

// config has the count that the key was exported with.
var config = &packet.Config{
	DefaultHash: crypto.SHA256,
	Algorithm:   packet.PubKeyAlgoEdDSA,
	S2KConfig:   &s2k.Config{S2KMode: s2k.IteratedSaltedS2K, Hash: crypto.SHA256, S2KCount: 4 << 20},
}

// office has a key.
type office struct {
	exported   string
	passphrase []byte
	unlocked   *openpgp.Entity
}

func open() (*office, error) {
	o := &office{passphrase: []byte("seven quiet geese")}
	e, err := openpgp.NewEntity("Payroll", "", "payroll@example.org", config)
	if err != nil {
		return nil, err
	}
	if err := e.EncryptPrivateKeys(o.passphrase, config); err != nil {
		return nil, err
	}
	var b strings.Builder
	w, err := armor.Encode(&b, openpgp.PrivateKeyType, nil)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(e.SerializePrivateWithoutSigning(w, config), w.Close()); err != nil {
		return nil, err
	}
	o.exported = b.String()
	if service.After() {
		o.unlocked, err = o.unlock()
	}
	return o, err
}

// unlock makes the key of what was exported.
func (o *office) unlock() (*openpgp.Entity, error) {
	ring, err := openpgp.ReadArmoredKeyRing(strings.NewReader(o.exported))
	if err != nil {
		return nil, err
	}
	if len(ring) != 1 {
		return nil, fmt.Errorf("%d keys were exported", len(ring))
	}
	return ring[0], ring[0].DecryptPrivateKeys(o.passphrase)
}

// sign makes the signature of a letter.
func (o *office) sign(letter []byte) (string, error) {
	key := o.unlocked
	if key == nil {
		var err error
		if key, err = o.unlock(); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	err := openpgp.ArmoredDetachSignText(&b, key, bytes.NewReader(letter), config)
	return b.String(), err
}

// slip is what is paid to an employee.
type slip struct {
	Name  string `json:"name"`
	Month string `json:"month"`
	Lines []struct {
		What  string `json:"what"`
		Cents int    `json:"cents"`
	} `json:"lines"`
}

// letter is the text of a slip.
func (s slip) letter() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Payslip of %s for %s\n\n", s.Name, s.Month)
	sum := 0
	for _, l := range s.Lines {
		fmt.Fprintf(&b, "%-30s %8d.%02d\n", l.What, l.Cents/100, max(l.Cents, -l.Cents)%100)
		sum += l.Cents
	}
	fmt.Fprintf(&b, "\nPaid out: %d.%02d\n", sum/100, sum%100)
	return b.Bytes()
}

func (o *office) serve(w http.ResponseWriter, r *http.Request) {
	var s slip
	if err := json.NewDecoder(io.LimitReader(r.Body, 32<<10)).Decode(&s); err != nil || s.Name == "" {
		http.Error(w, "whose slip?", http.StatusBadRequest)
		return
	}
	text := s.letter()
	signature, err := o.sign(text)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]string{"letter": string(text), "signature": signature, "at": time.Now().UTC().Format(time.DateOnly)})
}

func main() {
	o, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /slips", o.serve)
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Close()
}
