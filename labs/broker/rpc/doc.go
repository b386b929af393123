// Package rpc is the broker's gRPC service: what protoc makes of broker.proto.
package rpc

//go:generate protoc --go_out=. --go_opt=paths=source_relative --go-grpc_out=. --go-grpc_opt=paths=source_relative broker.proto
