// Albums of a photographer: the pictures of a customer's album are behind CloudFront, and a visitor that may see the album
// gets the addresses of its pictures, signed, which are good for an hour.
package main

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/cloudfront/sign"

	"wild/service"
)

// picture is one of an album, in two sizes.
type picture struct {
	Title string `json:"title"`
	Thumb string `json:"thumb"`
	Full  string `json:"full"`
}

type album struct {
	name  string
	files []string
}

// studio has albums.
type studio struct {
	host   string
	keyID  string
	key    *rsa.PrivateKey
	signer *sign.URLSigner
	albums map[string]album
}

var errAbsent = errors.New("no such album")

func open(host string) (*studio, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	s := &studio{host: host, keyID: "K36X4X2EO997HM", key: key, albums: map[string]album{}}
	s.signer = sign.NewURLSigner(s.keyID, key)
	for i := range 400 {
		a := album{name: fmt.Sprintf("Album %d", i)}
		for f := range 8 + i%13 {
			a.files = append(a.files, fmt.Sprintf("DSC_%04d", i*20+f))
		}
		s.albums[fmt.Sprintf("a%03d", i)] = a
	}
	return s, nil
}

// page has the addresses of all pictures of an album.
func (s *studio) page(id string, until time.Time) ([]picture, error) {
	a, ok := s.albums[id]
	if !ok {
		return nil, errAbsent
	}
	address := s.each(until)
	if service.After() {
		var err error
		if address, err = s.all(id, until); err != nil {
			return nil, err
		}
	}
	out := make([]picture, len(a.files))
	for i, name := range a.files {
		out[i].Title = fmt.Sprintf("%s, %d", a.name, i+1)
		var err error
		if out[i].Thumb, err = address(s.url(id, "thumb/"+name+".jpg")); err != nil {
			return nil, err
		}
		if out[i].Full, err = address(s.url(id, "full/"+name+".jpg")); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *studio) url(id, file string) string { return "https://" + s.host + "/" + id + "/" + file }

// each signs an address.
func (s *studio) each(until time.Time) func(string) (string, error) {
	return func(url string) (string, error) { return s.signer.Sign(url, until) }
}

// all signs what is in an album, once.
func (s *studio) all(id string, until time.Time) (func(string) (string, error), error) {
	p := &sign.Policy{Statements: []sign.Statement{{
		Resource:  s.url(id, "*"),
		Condition: sign.Condition{DateLessThan: sign.NewAWSEpochTime(until)},
	}}}
	signature, policy, err := p.Sign(s.key)
	if err != nil {
		return nil, err
	}
	query := fmt.Sprintf("?Policy=%s&Signature=%s&Key-Pair-Id=%s", policy, signature, s.keyID)
	return func(url string) (string, error) { return url + query, nil }, nil
}

func main() {
	s, err := open("d111111abcdef8.cloudfront.net")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /albums/{id}", func(w http.ResponseWriter, r *http.Request) {
		out, err := s.page(r.PathValue("id"), time.Now().Add(time.Hour))
		switch {
		case errors.Is(err, errAbsent):
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	mux.HandleFunc("GET /albums", func(w http.ResponseWriter, r *http.Request) {
		names := map[string]string{}
		for i := range 40 {
			id := fmt.Sprintf("a%03d", i)
			names[id] = s.albums[id].name
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(names)
	})
	service.Run(mux)
}
