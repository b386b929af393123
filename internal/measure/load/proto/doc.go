// Package proto turns the name of a gRPC method and messages in JSON into the
// bytes of a request, before a load begins: nothing is marshalled while it runs.
//
//  1. [Open] reads descriptors from a descriptor set, from .proto files, or from
//     the server itself, by reflection (source.go, protoset.go, compile.go,
//     reflect.go).
//  2. They are linked, file by file: one that cannot be is told of when a method
//     needs it, and hides no other (link.go).
//  3. [Encoder.Encode] finds the method and marshals the messages (encode.go).
package proto
