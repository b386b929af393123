// What a proxy asks before it lets a request pass: whether its token is good, and whether its bearer may do what it
// wants to. Tokens are signed by Ed25519, and the answer names the bearer for what is behind the proxy.
package main

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"log"
	"strings"
	"time"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	auth "github.com/envoyproxy/go-control-plane/envoy/service/auth/v3"
	"github.com/golang-jwt/jwt/v5"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/reflection"

	"wild/service"
)

// claims are what a token says.
type claims struct {
	jwt.RegisteredClaims
	Roles []string `json:"roles"`
}

// gate lets pass or not.
type gate struct {
	auth.UnimplementedAuthorizationServer
	parser *jwt.Parser
	public ed25519.PublicKey
	tokens map[string]string // of the sessions that are known
	rules  map[string][]string
}

func newGate() (*gate, error) {
	private := ed25519.NewKeyFromSeed([]byte("0123456789abcdef0123456789abcdef"))
	g := &gate{
		parser: jwt.NewParser(jwt.WithValidMethods([]string{"EdDSA"})), public: private.Public().(ed25519.PublicKey), tokens: map[string]string{},
		rules: map[string][]string{"/orders": {"clerk", "owner"}, "/prices": {"owner"}, "/stock": {"clerk", "owner", "robot"}},
	}
	for i, role := range []string{"clerk", "owner", "robot"} {
		c := claims{Roles: []string{role}}
		c.Subject, c.ExpiresAt = fmt.Sprint("user-", i), jwt.NewNumericDate(time.Now().Add(24*time.Hour))
		token, err := jwt.NewWithClaims(jwt.SigningMethodEdDSA, c).SignedString(private)
		if err != nil {
			return nil, err
		}
		g.tokens["session-"+role] = token
	}
	return g, nil
}

func denied(code codes.Code, why string) *auth.CheckResponse {
	return &auth.CheckResponse{Status: &status.Status{Code: int32(code), Message: why}}
}

func (g *gate) may(c claims, path string) bool {
	for prefix, roles := range g.rules {
		if !strings.HasPrefix(path, prefix) {
			continue
		}
		for _, role := range roles {
			for _, has := range c.Roles {
				if has == role {
					return true
				}
			}
		}
	}
	return false
}

func (g *gate) Check(_ context.Context, in *auth.CheckRequest) (*auth.CheckResponse, error) {
	req := in.GetAttributes().GetRequest().GetHttp()
	var c claims
	_, err := g.parser.ParseWithClaims(g.tokens[req.GetHeaders()["x-session"]], &c, func(*jwt.Token) (any, error) { return g.public, nil })
	if err != nil {
		return denied(codes.Unauthenticated, err.Error()), nil
	}
	if !g.may(c, req.GetPath()) {
		return denied(codes.PermissionDenied, "not for "+c.Subject), nil
	}
	header := &core.HeaderValueOption{Header: &core.HeaderValue{Key: "x-user", Value: c.Subject}}
	return &auth.CheckResponse{
		Status:       &status.Status{Code: int32(codes.OK)},
		HttpResponse: &auth.CheckResponse_OkResponse{OkResponse: &auth.OkHttpResponse{Headers: []*core.HeaderValueOption{header}}},
	}, nil
}

func main() {
	g, err := newGate()
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	auth.RegisterAuthorizationServer(srv, g)
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}
