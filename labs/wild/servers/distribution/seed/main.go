// Command seed uploads a config and a layer of 64 KiB to the repository lib/app, and writes the
// manifest of both: what the load puts under many tags.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
)

func main() {
	base, file := os.Args[1], os.Args[2]
	random := rand.NewChaCha8([32]byte{1})
	layer := make([]byte, 64<<10)
	_, _ = random.Read(layer)
	config := []byte(`{"architecture":"amd64","os":"linux","config":{},"rootfs":{"type":"layers","diff_ids":[]}}`)
	manifest, err := json.Marshal(map[string]any{
		"schemaVersion": 2,
		"mediaType":     "application/vnd.oci.image.manifest.v1+json",
		"config":        upload(base, config, "application/vnd.oci.image.config.v1+json"),
		"layers":        []any{upload(base, layer, "application/vnd.oci.image.layer.v1.tar")},
	})
	check(err)
	check(os.WriteFile(file, manifest, 0o644))
}

// upload puts one blob and returns its descriptor.
func upload(base string, blob []byte, kind string) map[string]any {
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(blob))
	resp, err := http.Post(base+"/v2/lib/app/blobs/uploads/", "", nil)
	check(err)
	_ = resp.Body.Close()
	to, err := resp.Location()
	check(err)
	q := to.Query()
	q.Set("digest", digest)
	to.RawQuery = q.Encode()
	request, err := http.NewRequest(http.MethodPut, to.String(), bytes.NewReader(blob))
	check(err)
	request.Header.Set("Content-Type", "application/octet-stream")
	resp, err = http.DefaultClient.Do(request)
	check(err)
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusCreated {
		log.Fatal(resp.Status)
	}
	return map[string]any{"mediaType": kind, "digest": digest, "size": len(blob)}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
