// Upload links: each request signs a URL for S3. Nothing is sent to S3.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go/aws"
	"github.com/aws/aws-sdk-go/aws/session"
	"github.com/aws/aws-sdk-go/service/s3"

	"wild/service"
)

func main() {
	dir, err := os.MkdirTemp("", "aws-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	os.Unsetenv("AWS_CA_BUNDLE") // a session would read it, too, where there is one
	write(dir, "AWS_CONFIG_FILE", "config", "[default]\nregion = eu-central-1\noutput = json\n\n[profile test]\nregion = us-east-1\n")
	write(dir, "AWS_SHARED_CREDENTIALS_FILE", "credentials",
		"[default]\naws_access_key_id = EXAMPLEKEY\naws_secret_access_key = examplesecret\n")

	open := func() (*session.Session, error) {
		return session.NewSessionWithOptions(session.Options{SharedConfigState: session.SharedConfigEnable})
	}
	if service.After() {
		shared, err := open()
		if err != nil {
			log.Fatal(err)
		}
		open = func() (*session.Session, error) { return shared, nil }
	}
	var seq atomic.Int64
	http.HandleFunc("/link", func(w http.ResponseWriter, r *http.Request) {
		sess, err := open()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		req, _ := s3.New(sess).PutObjectRequest(&s3.PutObjectInput{
			Bucket: aws.String("uploads"), Key: aws.String(fmt.Sprint("file-", seq.Add(1))),
		})
		link, err := req.Presign(15 * time.Minute)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, link)
	})
	service.Run(http.DefaultServeMux)
}

func write(dir, env, name, text string) {
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}
	os.Setenv(env, path)
}
