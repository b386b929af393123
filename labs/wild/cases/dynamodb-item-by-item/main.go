// Baskets of a shop: a basket has articles, and what they cost today is in a DynamoDB table, which runs as a process of its own and
// takes 3 ms for a request.
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
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"wild/service"
)

const table = "articles"

// shop has prices.
type shop struct{ db *dynamodb.Client }

func open(address string) *shop {
	creds := aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: "AKIDSHOP", SecretAccessKey: "of-the-shop"}, nil
	})
	return &shop{dynamodb.New(dynamodb.Options{
		Region: "eu-central-1", BaseEndpoint: aws.String("http://" + address), Credentials: creds,
		HTTPClient: &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
	})}
}

func key(article string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: article}}
}

// items are the rows of articles.
func (s *shop) items(ctx context.Context, articles []string) ([]map[string]types.AttributeValue, error) {
	if service.After() {
		var keys []map[string]types.AttributeValue
		for _, a := range articles {
			keys = append(keys, key(a))
		}
		out, err := s.db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{table: {Keys: keys}}})
		if err != nil {
			return nil, err
		}
		return out.Responses[table], nil
	}
	var all []map[string]types.AttributeValue
	for _, a := range articles {
		out, err := s.db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String(table), Key: key(a)})
		if err != nil {
			return nil, err
		}
		all = append(all, out.Item)
	}
	return all, nil
}

func (s *shop) total(w http.ResponseWriter, r *http.Request) {
	articles := strings.Split(r.FormValue("articles"), ",")
	if len(articles) > 50 {
		http.Error(w, "that is too much", http.StatusBadRequest)
		return
	}
	rows, err := s.items(r.Context(), articles)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	cents := 0
	for _, row := range rows {
		n, ok := row["cents"].(*types.AttributeValueMemberN)
		if !ok {
			continue
		}
		c, err := strconv.Atoi(n.Value)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		cents += c
	}
	fmt.Fprintf(w, "%d articles, %d.%02d\n", len(rows), cents/100, cents%100)
}

func main() {
	if os.Getenv("ROLE") == "table" {
		serveTable()
		return
	}
	s := open(service.Beside("table"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /total", s.total)
	mux.HandleFunc("GET /currency", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "EUR") })
	service.Run(mux)
}

// value is one of DynamoDB's JSON.
type value map[string]string

// serveTable has every article.
func serveTable() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	row := func(id string) map[string]value {
		return map[string]value{"id": {"S": id}, "title": {"S": "Article " + id}, "cents": {"N": strconv.Itoa(99 + len(id)*250)}}
	}
	go func() {
		log.Println(http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var in struct {
				Key          map[string]value
				RequestItems map[string]struct{ Keys []map[string]value }
			}
			if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			time.Sleep(3 * time.Millisecond)
			w.Header().Set("Content-Type", "application/x-amz-json-1.0")
			if in.RequestItems == nil {
				json.NewEncoder(w).Encode(map[string]any{"Item": row(in.Key["id"]["S"])})
				return
			}
			var rows []map[string]value
			for _, k := range in.RequestItems[table].Keys {
				rows = append(rows, row(k["id"]["S"]))
			}
			json.NewEncoder(w).Encode(map[string]any{"Responses": map[string]any{table: rows}, "UnprocessedKeys": map[string]any{}})
		})))
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
