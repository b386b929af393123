package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/unpark-go/unpark/internal/escape"
)

// s3 is a bucket of a server. It is the only file that knows the client.
type s3 struct {
	client *minio.Client
	bucket string
	server string
}

var _ Objects = s3{}

// open makes a client. Nothing is sent yet.
func open(a address) (Objects, error) {
	transport, err := minio.DefaultTransport(a.secure)
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", a, err)
	}
	client, err := minio.New(a.server, &minio.Options{
		Creds: usual(), Secure: a.secure, Region: a.region, Transport: transport,
		MaxRetries: 3, // of the default ten the last waits for minutes
	})
	if err != nil {
		return nil, fmt.Errorf("store %s: %w: name the server as ?endpoint=host:port", a, err)
	}
	return s3{client, a.bucket, a.server}, nil
}

// usual are the credentials of the environment, of ~/.aws/credentials (AWS_PROFILE, AWS_SHARED_CREDENTIALS_FILE) and, where the
// environment of a container or a pod says so, its role's. Without any, requests are not signed. A machine's own role is not asked for:
// where there is none, that takes seconds to tell.
func usual() *credentials.Credentials {
	chain := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
	for _, name := range []string{"AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI"} {
		if os.Getenv(name) != "" {
			chain = append(chain, &credentials.IAM{})
			break
		}
	}
	return credentials.NewChainCredentials(chain)
}

func (s s3) Get(ctx context.Context, key string) (io.ReadCloser, error) {
	// The client's own GetObject asks for the size first, in a request of its own.
	body, _, _, err := minio.Core{Client: s.client}.GetObject(ctx, s.bucket, key, minio.GetObjectOptions{})
	if err != nil {
		return nil, s.explain(err)
	}
	return body, nil
}

func (s s3) Put(ctx context.Context, key string, body Body, c Condition) error {
	o := minio.PutObjectOptions{DisableMultipart: true, SendContentMd5: true, ContentType: "application/octet-stream"}
	// Without TLS the client sends the signature of an empty body as chunks without a length, which servers refuse.
	o.DisableContentSha256 = body.Size == 0
	if c == Absent {
		o.SetMatchETagExcept("*")
	}
	_, err := s.client.PutObject(ctx, s.bucket, key, body, body.Size, o)
	return s.explain(err)
}

func (s s3) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		for o := range s.client.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
			if o.Err != nil {
				yield(Object{}, s.explain(o.Err))
				return
			}
			if !yield(Object{o.Key, o.Size, o.LastModified}, nil) {
				return
			}
		}
	}
}

func (s s3) Remove(ctx context.Context, key string) error {
	err := s.explain(s.client.RemoveObject(ctx, s.bucket, key, minio.RemoveObjectOptions{}))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// refusal is what a server or the way to it said, with what to do about it. The server's own words may be anything.
type refusal struct {
	text string
	is   error
}

func (r refusal) Error() string { return r.text }
func (r refusal) Unwrap() error { return r.is }

// explain says what an error of the client means.
func (s s3) explain(err error) error {
	if err == nil {
		return nil
	}
	var e minio.ErrorResponse
	if !errors.As(err, &e) {
		return s.unreached(err)
	}
	said := escape.Prose(strings.TrimSuffix(e.Message, "."))
	if said == "" {
		said = escape.Prose(e.Code)
	}
	switch {
	case e.Code == "NoSuchKey":
		return refusal{"it is not there", fs.ErrNotExist}
	case e.Code == "PreconditionFailed" || e.Code == "ConditionalRequestConflict" || e.StatusCode == http.StatusPreconditionFailed:
		return refusal{"it is there already", fs.ErrExist}
	case e.Code == "NotImplemented" || e.StatusCode == http.StatusNotImplemented:
		return refusal{"the server does not know how: " + said, errors.ErrUnsupported}
	case e.Code == "NoSuchBucket" || e.Code == "InvalidBucketName":
		return refusal{fmt.Sprintf("%s has no bucket %s: make it, or correct its name or the endpoint", s.server, escape.Line(s.bucket)), nil}
	case e.Code == "AuthorizationHeaderMalformed" || e.Code == "PermanentRedirect" || e.Code == "IllegalLocationConstraintException":
		return refusal{said + ": name the bucket's region as ?region=… or in AWS_REGION", nil}
	case e.Code == "RequestTimeTooSkewed":
		return refusal{said + ": set this machine's clock", nil}
	case e.StatusCode == http.StatusForbidden || e.StatusCode == http.StatusUnauthorized || strings.HasPrefix(e.Code, "InvalidAccessKey") || e.Code == "AccessDenied" || e.Code == "SignatureDoesNotMatch" || e.Code == "ExpiredToken":
		return refusal{fmt.Sprintf("the server refused (%s): %s: %s", escape.Line(e.Code), said, s.whose()), fs.ErrPermission}
	}
	return refusal{fmt.Sprintf("the server answered %s (status %d)", said, e.StatusCode), nil}
}

// whose says where the credentials came from that were refused. Which they were is not told.
func (s s3) whose() string {
	v, err := s.client.GetCreds()
	switch {
	case err != nil || v.AccessKeyID == "":
		return "no credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE to one of ~/.aws/credentials"
	case os.Getenv("AWS_ACCESS_KEY_ID") != "" || os.Getenv("AWS_ACCESS_KEY") != "":
		return "check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, and what they may do with the bucket: list it, get, put and delete objects"
	}
	return "check the credentials of the profile (AWS_PROFILE in ~/.aws/credentials) and what they may do with the bucket: list it, get, put and delete objects"
}

// unreached is of errors that no server answered with.
func (s s3) unreached(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var request *url.Error
	if errors.As(err, &request) {
		err = request.Err // which address was asked in which words is of no help
	}
	text := escape.Prose(err.Error())
	if strings.Contains(text, "server gave HTTP response to HTTPS client") {
		return refusal{s.server + " does not speak TLS: add insecure to the address, as ?endpoint=" + s.server + "&insecure", err}
	}
	return refusal{fmt.Sprintf("%s was not reached: %s: check the endpoint (?endpoint=host:port or UNPARK_S3_ENDPOINT)", s.server, text), err}
}
