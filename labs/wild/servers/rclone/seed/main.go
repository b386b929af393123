// Command seed makes the folder that is served: 300 small files in one folder, and an empty
// one that uploads go to; and the body of an upload, 64 KiB of base64: a load's body is a
// template, so that chance must not put braces into it.
package main

import (
	"encoding/base64"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
)

func main() {
	root, file := os.Args[1], os.Args[2]
	for _, dir := range []string{"photos", "inbox"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			log.Fatal(err)
		}
	}
	source := rand.NewChaCha8([32]byte{1})
	data := make([]byte, 64<<10)
	for i := range 300 {
		_, _ = source.Read(data) // it never fails
		name := filepath.Join(root, "photos", fmt.Sprintf("2026-01-%02d holiday %03d.jpg", i%28+1, i))
		if err := os.WriteFile(name, data[:2000+i*7], 0o644); err != nil {
			log.Fatal(err)
		}
	}
	_, _ = source.Read(data)
	upload := base64.StdEncoding.EncodeToString(data)[:len(data)]
	if err := os.WriteFile(file, []byte(upload), 0o644); err != nil {
		log.Fatal(err)
	}
}
