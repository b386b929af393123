// Tickets of a cinema, for those who are signed in: whose token it is that comes with a request is asked of the house that made it, a process
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

	"github.com/zitadel/oidc/v3/pkg/client/rs"
	"github.com/zitadel/oidc/v3/pkg/oidc"

	"wild/service"
)

// cinema sells tickets.
type cinema struct {
	issuer string
	client *http.Client
	house  rs.ResourceServer // kept, if it is
}

func open(ctx context.Context, address string) (*cinema, error) {
	c := &cinema{
		issuer: "http://" + address,
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
	}
	var err error
	if service.After() {
		c.house, err = c.discover(ctx)
	}
	return c, err
}

func (c *cinema) discover(ctx context.Context) (rs.ResourceServer, error) {
	return rs.NewResourceServerClientCredentials(ctx, c.issuer, "cinema", "let me in", rs.WithClient(c.client))
}

// visitor is whose token it is.
func (c *cinema) visitor(ctx context.Context, token string) (string, error) {
	house := c.house
	if house == nil {
		var err error
		if house, err = c.discover(ctx); err != nil {
			return "", err
		}
	}
	said, err := rs.Introspect[*oidc.IntrospectionResponse](ctx, house, token)
	if err != nil {
		return "", err
	}
	if !said.Active {
		return "", fmt.Errorf("that token is not valid any more")
	}
	return said.Subject, nil
}

func (c *cinema) serve(w http.ResponseWriter, r *http.Request) {
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if token == "" {
		token = r.URL.Query().Get("token") // of a link in a letter
	}
	visitor, err := c.visitor(r.Context(), token)
	if err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]string{"film": r.PathValue("film"), "for": visitor, "seat": fmt.Sprintf("%c%d", 'A'+len(visitor)%9, len(token))})
}

func main() {
	if os.Getenv("ROLE") == "house" {
		serveHouse()
		return
	}
	c, err := open(context.Background(), service.Beside("house"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /films/{film}/tickets", c.serve)
	service.Run(mux)
}

// serveHouse knows tokens.
func serveHouse() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	issuer := "http://" + ln.Addr().String()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(3 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{
			"issuer": issuer, "authorization_endpoint": issuer + "/authorize", "token_endpoint": issuer + "/token",
			"introspection_endpoint": issuer + "/introspect", "jwks_uri": issuer + "/keys",
			"scopes_supported": []string{"openid", "profile"}, "response_types_supported": []string{"code"},
		})
	})
	mux.HandleFunc("POST /introspect", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(3 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"active": true, "sub": "visitor " + r.FormValue("token"), "scope": "openid"})
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
