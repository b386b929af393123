// Command seed makes two buckets: "incoming", empty, and "photos", with 500 objects of 16 KiB.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"

	"github.com/johannesboyne/gofakes3/backend/s3bolt"
)

func main() {
	backend, err := s3bolt.NewFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"incoming", "photos"} {
		if err := backend.CreateBucket(name); err != nil {
			log.Fatal(err)
		}
	}
	content := bytes.Repeat([]byte("0123456789abcdef"), 1024)
	for i := range 500 {
		name := fmt.Sprintf("photo-%04d", i)
		if _, err := backend.PutObject("photos", name, map[string]string{}, bytes.NewReader(content), int64(len(content)), nil); err != nil {
			log.Fatal(err)
		}
	}
	if err := os.WriteFile(os.Args[2], content, 0o644); err != nil {
		log.Fatal(err)
	}
}
