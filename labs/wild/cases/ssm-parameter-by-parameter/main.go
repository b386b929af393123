// Settings of a chain of bakeries, over h2c: each shop asks for those that it works by, which are kept as parameters of a cloud, a process
// elsewhere that takes 3 ms for a request.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ssm"

	"wild/service"
)

var settings = []string{"opens", "closes", "ovens", "prices", "offers", "printer"}

// chain has shops.
type chain struct{ parameters *ssm.Client }

func open(address string) *chain {
	return &chain{ssm.New(ssm.Options{
		Region:       "eu-north-1",
		BaseEndpoint: aws.String("http://" + address),
		HTTPClient:   &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "bakery", SecretAccessKey: "let me in"}, nil
		}),
	})}
}

// read has the values of parameters.
func (c *chain) read(ctx context.Context, names []string) (map[string]string, error) {
	out := make(map[string]string, len(names))
	if service.After() {
		got, err := c.parameters.GetParameters(ctx, &ssm.GetParametersInput{Names: names})
		if err != nil {
			return nil, err
		}
		for _, p := range got.Parameters {
			out[aws.ToString(p.Name)] = aws.ToString(p.Value)
		}
		return out, nil
	}
	for _, name := range names {
		got, err := c.parameters.GetParameter(ctx, &ssm.GetParameterInput{Name: &name})
		if err != nil {
			return nil, err
		}
		out[name] = aws.ToString(got.Parameter.Value)
	}
	return out, nil
}

func (c *chain) serve(w http.ResponseWriter, r *http.Request) {
	names := make([]string, len(settings))
	for i, s := range settings {
		names[i] = "/shops/" + r.PathValue("shop") + "/" + s
	}
	values, err := c.read(r.Context(), names)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(values)
}

func main() {
	if os.Getenv("ROLE") == "cloud" {
		serveCloud()
		return
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /shops/{shop}/settings", open(service.Beside("cloud")).serve)
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Close()
}

// serveCloud has parameters.
func serveCloud() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	type parameter struct{ Name, Type, Value string }
	one := func(name string) parameter {
		return parameter{name, "String", fmt.Sprintf("%d", len(name)*31)}
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Name  string
			Names []string
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		time.Sleep(3 * time.Millisecond)
		w.Header().Set("Content-Type", "application/x-amz-json-1.1")
		if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".GetParameter") {
			json.NewEncoder(w).Encode(map[string]any{"Parameter": one(in.Name)})
			return
		}
		var all []parameter
		for _, name := range in.Names {
			all = append(all, one(name))
		}
		json.NewEncoder(w).Encode(map[string]any{"Parameters": all})
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
