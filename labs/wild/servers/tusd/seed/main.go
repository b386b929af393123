// Command seed puts an upload of 1 MiB, /files/report, into the store, and writes the 64 KiB that the load uploads.
package main

import (
	"encoding/json"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
)

func main() {
	store, part := os.Args[1], os.Args[2]
	if err := os.MkdirAll(store, 0o700); err != nil {
		log.Fatal(err)
	}
	report := filepath.Join(store, "report")
	info, err := json.Marshal(map[string]any{
		"ID": "report", "Size": 1 << 20, "Offset": 0, "MetaData": map[string]string{"filename": "report.bin"},
		"Storage": map[string]string{"Type": "filestore", "Path": report, "InfoPath": report + ".info"},
	})
	if err != nil {
		log.Fatal(err)
	}
	write(report+".info", info)
	write(report, random(1<<20))
	write(part, random(64<<10))
}

func random(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]byte, n)
	for i := range out {
		out[i] = "0123456789abcdef"[r.IntN(16)] // no braces, which a load would fill in
	}
	return out
}

func write(path string, data []byte) {
	if err := os.WriteFile(path, data, 0o600); err != nil {
		log.Fatal(err)
	}
}
