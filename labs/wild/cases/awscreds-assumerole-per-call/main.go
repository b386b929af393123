// Settings of tenants, which are in a DynamoDB table of another account: the service takes on a role of that
// account to read them. Both DynamoDB and the token service are a process of their own here.
package main

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"wild/service"
)

const role = "arn:aws:iam::210987654321:role/settings-reader"

// settings are those of a tenant.
type settings struct {
	Tenant string            `json:"tenant"`
	Seats  int               `json:"seats"`
	Flags  map[string]bool   `json:"flags"`
	Limits map[string]int    `json:"limits"`
	Labels map[string]string `json:"labels"`
}

// store reads settings.
type store struct{ db *dynamodb.Client }

func open(address string) *store {
	url := "http://" + address
	own := aws.Config{
		Region: "eu-central-1", BaseEndpoint: &url,
		Credentials: credentials.NewStaticCredentialsProvider("AKIAOWN", "own", ""),
	}
	var creds aws.CredentialsProvider = stscreds.NewAssumeRoleProvider(sts.NewFromConfig(own), role)
	if service.After() {
		creds = aws.NewCredentialsCache(creds)
	}
	return &store{dynamodb.New(dynamodb.Options{Region: own.Region, BaseEndpoint: &url, Credentials: creds})}
}

var errUnknown = errors.New("no such tenant")

func (s *store) settings(ctx context.Context, tenant string) (*settings, error) {
	out, err := s.db.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: aws.String("settings"), Key: map[string]types.AttributeValue{"tenant": &types.AttributeValueMemberS{Value: tenant}},
	})
	if err != nil {
		return nil, fmt.Errorf("settings of %s: %w", tenant, err)
	}
	if len(out.Item) == 0 {
		return nil, errUnknown
	}
	return decode(tenant, out.Item)
}

func decode(tenant string, item map[string]types.AttributeValue) (*settings, error) {
	s := &settings{Tenant: tenant, Flags: map[string]bool{}, Limits: map[string]int{}, Labels: map[string]string{}}
	for name, v := range item {
		switch v := v.(type) {
		case *types.AttributeValueMemberBOOL:
			s.Flags[name] = v.Value
		case *types.AttributeValueMemberN:
			n, err := strconv.Atoi(v.Value)
			if err != nil {
				return nil, fmt.Errorf("%s of %s: %w", name, tenant, err)
			}
			if name == "seats" {
				s.Seats = n
			} else {
				s.Limits[name] = n
			}
		case *types.AttributeValueMemberS:
			s.Labels[name] = v.Value
		}
	}
	return s, nil
}

func main() {
	if os.Getenv("ROLE") == "aws" {
		cloud()
		return
	}
	s := open(service.Beside("aws"))
	http.HandleFunc("GET /tenants/{tenant}/settings", func(w http.ResponseWriter, r *http.Request) {
		got, err := s.settings(r.Context(), r.PathValue("tenant"))
		switch {
		case errors.Is(err, errUnknown):
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(got)
	})
	service.Run(http.DefaultServeMux)
}

// assumed is what the token service answers.
type assumed struct {
	XMLName xml.Name `xml:"AssumeRoleResponse"`
	Result  struct {
		Credentials struct {
			AccessKeyId, SecretAccessKey, SessionToken string
			Expiration                                 time.Time
		}
	} `xml:"AssumeRoleResult"`
}

// cloud answers AssumeRole and GetItem.
func cloud() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".GetItem") {
			time.Sleep(12 * time.Millisecond)
			var a assumed
			c := &a.Result.Credentials
			c.AccessKeyId, c.SecretAccessKey, c.SessionToken, c.Expiration = "ASIAROLE", "secret", strings.Repeat("t", 400), time.Now().Add(time.Hour).UTC()
			xml.NewEncoder(w).Encode(a)
			return
		}
		time.Sleep(4 * time.Millisecond)
		var in struct {
			Key struct{ Tenant struct{ S string } }
		}
		json.Unmarshal(body, &in)
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		fmt.Fprintf(w, `{"Item":{"tenant":{"S":%q},"plan":{"S":"team"},"seats":{"N":"25"},"exports":{"N":"40"},"uploads":{"N":"900"},"beta":{"BOOL":true},"sso":{"BOOL":false},"region":{"S":"eu"}}}`, in.Key.Tenant.S)
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
